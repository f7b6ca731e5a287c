// Files as payloads of an upload frame. Sends nothing; where the files come from is transfers.js.

// The server refuses more (terminals/uploads.py): a larger file is not even read.
export const UPLOAD_LIMIT = 8 * 1024 * 1024

const encoder = new TextEncoder()

/** `fileName NUL mimeType NUL bytes`. */
export function encodeUpload(fileName, mimeType, bytes) {
  const head = encoder.encode(`${word(fileName)}\0${word(mimeType)}\0`)
  const payload = new Uint8Array(head.length + bytes.length)
  payload.set(head)
  payload.set(bytes, head.length)
  return payload
}

/** The payload of one File; rejects, with the reason as message, what cannot be sent. */
export async function readUpload(file) {
  if (file.size > UPLOAD_LIMIT) throw new Error(`larger than ${UPLOAD_LIMIT} bytes`)
  const bytes = await file.arrayBuffer().catch(() => {
    throw new Error('cannot be read') // a folder, or a file that went away
  })
  return encodeUpload(file.name || 'pasted', file.type || 'application/octet-stream', new Uint8Array(bytes))
}

function word(text) {
  return text.replaceAll('\0', '')
}
