// Binary frames of the socket: type, name, NUL, payload. The twin of terminals/frames.py.
// Knows no socket and no page; tests/golden/frames.json binds both twins.

export const BinaryMsgType = Object.freeze({
  TerminalOutput: 0x01, // server → client
  KeyboardInput: 0x02, // client → server
  Resize: 0x03, // client → server, `cols:rows`
  FileUpload: 0x04, // client → server, see uploads.js
  TerminalSnapshot: 0x05, // server → client, reset and then write; only after `hello` asked for it
  Credit: 0x06, // client → server, see creditPayload; only after `hello` asked for it
})

const encoder = new TextEncoder()
// As frames.py decodes: a name that is no UTF-8 is nobody's, and a BOM is part of the name.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const SHORTEST = 3 // a type, one character of a name, the separator

/** One frame. A payload of text is taken as UTF-8. */
export function encodeBinaryFrame(msgType, agentName, payload = new Uint8Array()) {
  const name = encoder.encode(agentName)
  if (name.length === 0 || name.includes(0)) throw new Error('a frame needs a name without NUL')
  const body = bytesOf(payload)
  const frame = new Uint8Array(name.length + body.length + 2)
  frame[0] = msgType
  frame.set(name, 1)
  frame.set(body, name.length + 2)
  return frame
}

/** `{msgType, agentName, payload}`; the payload is a view into the frame, not a copy. */
export function decodeBinaryFrame(data) {
  const frame = bytesOf(data)
  if (frame.length < SHORTEST) throw new Error('frame too short')
  const end = frame.indexOf(0, 1)
  if (end < 0) throw new Error('missing agent separator')
  if (end === 1) throw new Error('missing agent name')
  return {
    msgType: frame[0],
    agentName: decoder.decode(frame.subarray(1, end)),
    payload: frame.subarray(end + 1),
  }
}

/** How many bytes the terminal has parsed since the last credit: four bytes, the highest first. */
export function creditPayload(count) {
  const payload = new Uint8Array(4)
  new DataView(payload.buffer).setUint32(0, count)
  return payload
}

function bytesOf(data) {
  if (typeof data === 'string') return encoder.encode(data)
  if (data instanceof Uint8Array) return data
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
  return new Uint8Array(data)
}
