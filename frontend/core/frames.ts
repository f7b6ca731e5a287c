// Binary frames of the socket: type, name, NUL, payload. The counterpart of terminals/socket/frames.py; both
// are tested with tests/golden/frames.json. Knows no socket and no page.

export const BinaryMsgType = Object.freeze({
  TerminalOutput: 0x01, // server → client
  KeyboardInput: 0x02, // client → server
  Resize: 0x03, // client → server, `cols:rows`
  FileUpload: 0x04, // client → server, see terminals/uploads
  TerminalSnapshot: 0x05, // server → client, reset, then write; only if requested by `hello`
  Credit: 0x06, // client → server, see creditPayload; only if requested by `hello`
})

export interface Frame {
  msgType: number
  agentName: string
  payload: Uint8Array
}
export type Payload = string | ArrayBufferView | ArrayBuffer

const encoder = new TextEncoder()
// As in frames.py: a name that is not valid UTF-8 matches nothing, and a BOM is part of the name.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const SHORTEST = 3 // a type, one character of a name, the separator

/** Encodes one frame. A string payload is encoded as UTF-8. */
export function encodeBinaryFrame(
  msgType: number,
  agentName: string,
  payload: Payload = new Uint8Array(),
): Uint8Array<ArrayBuffer> {
  const name = encoder.encode(agentName)
  if (name.length === 0 || name.includes(0)) throw new Error('A frame needs a name without NUL.')
  const body = bytesOf(payload)
  const frame = new Uint8Array(name.length + body.length + 2)
  frame[0] = msgType
  frame.set(name, 1)
  frame.set(body, name.length + 2)
  return frame
}

/** The payload is a view into the frame, not a copy. */
export function decodeBinaryFrame(data: Payload): Frame {
  const frame = bytesOf(data)
  const [msgType] = frame
  if (msgType === undefined || frame.length < SHORTEST) throw new Error('frame too short')
  const end = frame.indexOf(0, 1)
  if (end < 0) throw new Error('missing agent separator')
  if (end === 1) throw new Error('missing agent name')
  return { msgType, agentName: decoder.decode(frame.subarray(1, end)), payload: frame.subarray(end + 1) }
}

/** The number of bytes parsed since the last credit: four bytes, big-endian. */
export function creditPayload(count: number): Uint8Array {
  const payload = new Uint8Array(4)
  new DataView(payload.buffer).setUint32(0, count)
  return payload
}

function bytesOf(data: Payload): Uint8Array {
  if (typeof data === 'string') return encoder.encode(data)
  if (data instanceof Uint8Array) return data
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return new Uint8Array(data)
}
