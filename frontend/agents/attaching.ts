// Files for a prompt: stored on the server near the pane (POST /api/panes/{pane}/uploads), so that an
// agent can read them by path. Uploading types nothing into the pane.
import { type Api, part } from '../core/api'
import type { UploadOut } from '../core/generated/api'
import { UPLOAD_LIMIT } from '../terminals/uploads'

export type UploadedFile = Pick<UploadOut, 'name' | 'path'>

export async function uploadFile(api: Api, pane: string, file: File): Promise<UploadedFile> {
  if (file.size > UPLOAD_LIMIT) throw new Error(`The file is larger than ${UPLOAD_LIMIT >> 20} MiB.`)
  const form = new FormData()
  form.append('file', file, file.name || 'pasted')
  const { name, path } = await api<UploadOut>('POST', `/panes/${part(pane.slice(1))}/uploads`, form)
  return { name, path }
}

export function hasFiles(transfer: DataTransfer | null): transfer is DataTransfer {
  return transfer?.types.includes('Files') ?? false
}
