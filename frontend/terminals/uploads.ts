// Encodes files as payloads of upload frames. Sends nothing; the files come from transfers.ts.

// The server refuses more (terminals/uploads/payload.py): a larger file is not even read.
export const UPLOAD_LIMIT = 8 * 1024 * 1024

const encoder = new TextEncoder()

/** `fileName NUL mimeType NUL bytes`. */
export function encodeUpload(fileName: string, mimeType: string, bytes: Uint8Array): Uint8Array {
  const head = encoder.encode(`${withoutNul(fileName)}\0${withoutNul(mimeType)}\0`)
  const payload = new Uint8Array(head.length + bytes.length)
  payload.set(head)
  payload.set(bytes, head.length)
  return payload
}

/** The payload of one file; rejects with the reason if it cannot be sent. */
export async function readUpload(
  file: Pick<File, 'name' | 'type' | 'size' | 'arrayBuffer'>,
): Promise<Uint8Array> {
  if (file.size > UPLOAD_LIMIT) throw new Error(`The file is larger than ${UPLOAD_LIMIT >> 20} MiB.`)
  const bytes = await file.arrayBuffer().catch(() => {
    // A folder, or a file that was deleted.
    throw new Error('The file cannot be read.')
  })
  return encodeUpload(file.name || 'pasted', file.type || 'application/octet-stream', new Uint8Array(bytes))
}

function withoutNul(text: string): string {
  return text.replaceAll('\0', '')
}
