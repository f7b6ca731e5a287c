// REST calls of the page. An error carries the server's own words, which say the way out.

export async function api(method, path, body) {
  const headers = { accept: 'application/json' }
  if (body !== undefined && !(body instanceof FormData)) headers['content-type'] = 'application/json'
  const answer = await fetch(`/api${path}`, {
    method, headers, body: body === undefined || body instanceof FormData ? body : JSON.stringify(body),
  }).catch(() => { throw new Error('the server cannot be reached') })
  const told = answer.status === 204 ? null : await answer.json().catch(() => null)
  if (answer.ok) return told
  throw Object.assign(new Error(told?.error?.message ?? `the server answered ${answer.status}`), {
    status: answer.status, code: told?.error?.code,
  })
}

/** A name as one part of a path. */
export const part = encodeURIComponent
