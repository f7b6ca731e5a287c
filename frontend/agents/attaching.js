// Files for a prompt: kept on the server near the pane (POST /api/panes/{pane}/uploads), so that an
// agent finds them by their path. Nothing is typed by that.
import { part } from '../page/api.js'
import { UPLOAD_LIMIT } from '../terminals/uploads.js'

/** `{name, path}` of a file that was kept; rejects with the reason in words. */
export async function keepFile(api, pane, file) {
  if (file.size > UPLOAD_LIMIT) throw new Error(`it is larger than ${UPLOAD_LIMIT >> 20} MiB`)
  const form = new FormData()
  form.append('file', file, file.name || 'pasted')
  const { name, path } = await api('POST', `/panes/${part(pane.slice(1))}/uploads`, form)
  return { name, path }
}

export function carriesFiles(transfer) { return Boolean(transfer) && [...transfer.types].includes('Files') }
