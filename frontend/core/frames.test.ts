// frames.ts encodes the same bytes as frames.py: both are tested with the golden file.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'vitest'

import { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } from './frames'

interface GoldenFrame {
  name: string
  type: number
  agent: string
  payloadBase64: string
  frameBase64: string
}

const golden = JSON.parse(await readFile('tests/golden/frames.json', 'utf8')) as GoldenFrame[]
const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

test('every frame of the golden file is encoded exactly', () => {
  assert.ok(golden.length > 10)
  for (const { name, type, agent, payloadBase64, frameBase64 } of golden) {
    assert.deepEqual(encodeBinaryFrame(type, agent, bytes(payloadBase64)), bytes(frameBase64), name)
  }
})

test('every frame of the golden file is decoded', () => {
  for (const { name, type, agent, payloadBase64, frameBase64 } of golden) {
    const frame = decodeBinaryFrame(bytes(frameBase64))
    const decoded = [frame.msgType, frame.agentName, new Uint8Array(frame.payload)]
    assert.deepEqual(decoded, [type, agent, bytes(payloadBase64)], name)
  }
})

test('the golden file contains every frame type', () => {
  const types = new Set(golden.map(({ type }) => type))
  assert.deepEqual([...types].sort(), Object.values(BinaryMsgType).sort())
})

test('a frame may be an ArrayBuffer, as received from a socket', () => {
  const { buffer } = Uint8Array.of(1, 97, 0, 98)
  assert.deepEqual([...decodeBinaryFrame(buffer).payload], [98])
})

test('a string payload is encoded as UTF-8', () => {
  assert.deepEqual([...encodeBinaryFrame(3, 'a', '80:24')], [3, 97, 0, ...Buffer.from('80:24')])
})

test('invalid frames are refused with the error texts of the server', () => {
  const refused = {
    'frame too short': [1, 97],
    'missing agent separator': [1, 97, 98],
    'missing agent name': [1, 0, 98],
  }
  for (const [message, frame] of Object.entries(refused)) {
    assert.throws(() => decodeBinaryFrame(Uint8Array.from(frame)), { message })
  }
})

test('a name that would truncate the frame is refused', () => {
  assert.throws(() => encodeBinaryFrame(2, 'a\0b'))
  assert.throws(() => encodeBinaryFrame(2, ''))
})

test('credit is a big-endian count of four bytes', () => {
  assert.deepEqual([...creditPayload(0x01020304)], [1, 2, 3, 4])
})
