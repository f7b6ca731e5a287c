// Listens: by the browser's own speech recognition, on the device where it can, or by a recording that
// the server writes down. Tells `change` and keeps `state`: off, starting, listening, writing.
// What was said goes to whoever asked; it is never sent to an agent from here.
import { problemWords, wayAfter, waysToListen } from './voice-ways.js'

const LONGEST_MS = 120_000 // of a recording: about 2 MB
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']

/** What the microphone or the browser's service says; another way may still lead on. */
class Trouble extends Error {
  constructor(trouble) {
    super(trouble)
    this.trouble = trouble
  }
}

export class Voice extends EventTarget {
  state = 'off'
  #api
  #server = null // what GET /api/voice told
  #stop = null

  constructor(api) {
    super()
    this.#api = api
  }

  /** Why the button cannot work; empty when it can. Asks the server once. */
  async reason() { return (await this.#ways()).reason }

  /** What was said, when it is stopped or the speaker ends. Rejects with the reason in words. */
  async listen() {
    if (this.state !== 'off') return ''
    this.#be('starting')
    try {
      const { ways, reason } = await this.#ways()
      if (!ways.length) throw new Error(reason)
      return await this.#by(ways)
    } finally {
      this.#stop = null
      this.#be('off')
    }
  }

  stop() { this.#stop?.() }

  async #by(ways) {
    try {
      return await (ways[0] === 'speech' ? this.#bySpeech() : this.#byRecorder())
    } catch (problem) {
      if (!(problem instanceof Trouble)) throw problem
      const others = wayAfter(problem.trouble, ways)
      if (others.length) return this.#by(others)
      throw new Error(problemWords(problem.trouble, this.#server.reason))
    }
  }

  async #ways() {
    this.#server ??= await this.#api('GET', '/voice').catch((problem) => ({ available: false, reason: problem.message }))
    return waysToListen(
      { speech: Boolean(recognition()), recorder: 'MediaRecorder' in globalThis, secure: isSecureContext },
      this.#server,
    )
  }

  async #bySpeech() {
    const Recognition = recognition()
    const listener = new Recognition()
    listener.lang = navigator.language
    listener.continuous = true
    listener.interimResults = false
    if (await onDevice(Recognition, listener.lang)) listener.processLocally = true
    return new Promise((done, failed) => {
      const said = []
      let error = ''
      listener.onstart = () => this.#listening(() => listener.stop())
      listener.onresult = ({ results, resultIndex }) => {
        for (let at = resultIndex; at < results.length; at += 1) if (results[at].isFinal) said.push(results[at][0].transcript.trim())
      }
      listener.onerror = (event) => { error = event.error }
      listener.onend = () => (error && !said.length ? failed(new Trouble(error)) : done(said.join(' ')))
      try {
        listener.start()
      } catch { failed(new Trouble('start')) }
    })
  }

  async #byRecorder() {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch(({ name }) => { throw new Trouble(name) })
    try {
      const sound = await this.#record(stream)
      this.#be('writing')
      const form = new FormData()
      form.append('file', sound, 'speech')
      return (await this.#api('POST', '/voice', form)).text
    } finally {
      for (const track of stream.getTracks()) track.stop()
    }
  }

  #record(stream) {
    const recorder = new MediaRecorder(stream, { mimeType: TYPES.find((type) => MediaRecorder.isTypeSupported(type)) })
    const pieces = []
    return new Promise((done, failed) => {
      const timer = setTimeout(() => recorder.stop(), LONGEST_MS)
      recorder.onstart = () => this.#listening(() => { if (recorder.state !== 'inactive') recorder.stop() })
      recorder.ondataavailable = ({ data }) => pieces.push(data)
      recorder.onerror = () => failed(new Trouble('audio-capture'))
      recorder.onstop = () => {
        clearTimeout(timer)
        done(new Blob(pieces, { type: recorder.mimeType }))
      }
      recorder.start()
    })
  }

  #listening(stop) {
    this.#stop = stop
    this.#be('listening')
  }

  #be(state) {
    this.state = state
    this.dispatchEvent(new CustomEvent('change'))
  }
}

function recognition() { return globalThis.SpeechRecognition ?? globalThis.webkitSpeechRecognition }

/** Whether speech in this language stays on the device. */
async function onDevice(Recognition, lang) {
  try {
    return await Recognition.available?.({ langs: [lang], processLocally: true }) === 'available'
  } catch {
    return false
  }
}
