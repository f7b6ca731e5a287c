// frames.js says the same bytes as frames.py: the golden file binds both.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

import { BinaryMsgType, creditPayload, decodeBinaryFrame, encodeBinaryFrame } from '../../frontend/terminals/frames.js'

const golden = JSON.parse(await readFile('tests/golden/frames.json', 'utf8'))
const bytes = (base64) => new Uint8Array(Buffer.from(base64, 'base64'))

test('every frame of the golden file is written byte for byte', () => {
  assert.ok(golden.length > 10)
  for (const { name, type, agent, payloadBase64, frameBase64 } of golden) {
    assert.deepEqual(encodeBinaryFrame(type, agent, bytes(payloadBase64)), bytes(frameBase64), name)
  }
})

test('every frame of the golden file is read back', () => {
  for (const { name, type, agent, payloadBase64, frameBase64 } of golden) {
    const frame = decodeBinaryFrame(bytes(frameBase64))
    const found = [frame.msgType, frame.agentName, new Uint8Array(frame.payload)]
    assert.deepEqual(found, [type, agent, bytes(payloadBase64)], name)
  }
})

test('the golden file holds every type of frame', () => {
  const types = new Set(golden.map(({ type }) => type))
  assert.deepEqual([...types].sort(), Object.values(BinaryMsgType).sort())
})

test('a frame may come as an ArrayBuffer, as a socket gives it', () => {
  const { buffer } = Uint8Array.of(1, 97, 0, 98)
  assert.deepEqual([...decodeBinaryFrame(buffer).payload], [98])
})

test('a payload of text is written as UTF-8', () => {
  assert.deepEqual([...encodeBinaryFrame(3, 'a', '80:24')], [3, 97, 0, ...Buffer.from('80:24')])
})

test('what is no frame is refused in the words of the server', () => {
  const refused = { 'frame too short': [1, 97], 'missing agent separator': [1, 97, 98], 'missing agent name': [1, 0, 98] }
  for (const [message, frame] of Object.entries(refused)) {
    assert.throws(() => decodeBinaryFrame(Uint8Array.from(frame)), { message })
  }
})

test('a name that would cut the frame short is not sent', () => {
  assert.throws(() => encodeBinaryFrame(2, 'a\0b'))
  assert.throws(() => encodeBinaryFrame(2, ''))
})

test('credit is a count of four bytes, the highest first', () => {
  assert.deepEqual([...creditPayload(0x01020304)], [1, 2, 3, 4])
})
