// REST calls of the page. Errors carry the message of the server, which says what to do. The types of
// responses are in generated/api.ts: `api<WindowOut>('GET', …)`.

import type { ErrorOut } from './generated/api'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
export type Api = <Result = null>(method: Method, path: string, body?: object) => Promise<Result>

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly code: string,
    /** The field of the request that the error is about, or an empty string. */
    readonly field = '',
  ) {
    super(message)
  }
}

export const api: Api = async <Result>(method: Method, path: string, body?: object) => {
  const isForm = body instanceof FormData
  const headers: Record<string, string> = { accept: 'application/json' }
  if (body !== undefined && !isForm) headers['content-type'] = 'application/json'
  const init: RequestInit = { method, headers }
  if (body !== undefined) init.body = isForm ? body : JSON.stringify(body)
  const response = await fetch(`/api${path}`, init).catch(() => {
    throw new Error('Cannot reach the server.')
  })
  const payload: unknown = response.status === 204 ? null : await response.json().catch(() => null)
  if (response.ok) return payload as Result
  const detail = (payload as Partial<ErrorOut> | null)?.error
  const message = detail?.message ?? `The server returned an error (${response.status}).`
  throw new ApiError(message, response.status, detail?.code ?? '', detail?.field ?? '')
}

/** Encodes a name as one segment of a path. */
export const part = encodeURIComponent
