// Dictation: by the speech recognition of the browser, on the device if possible, or by a recording that
// the server transcribes. Emits `change` of its `state`. Returns the text to the caller; it is never sent
// to an agent from here.
import type { Api } from '../core/api'
import { messageOf, typedTarget } from '../core/events'
import type { TranscriptOut, VoiceOut } from '../core/generated/api'
import { fallbackMethods, type SpeechMethod, speechErrorText, speechMethods } from './voice-methods'

export type VoiceState = 'off' | 'starting' | 'listening' | 'writing'

/** The parts of the Web Speech API that are used here: TypeScript's DOM library does not have it. */
interface Recognition {
  lang: string
  continuous: boolean
  interimResults: boolean
  processLocally?: boolean
  onstart: (() => void) | null
  onresult: ((event: { results: Iterable<SpeechRecognitionResult>; resultIndex: number }) => void) | null
  onerror: ((event: { error: string }) => void) | null
  onend: (() => void) | null
  start(): void
  stop(): void
}
interface RecognitionClass {
  new (): Recognition
  available?(options: { langs: string[]; processLocally: boolean }): Promise<string>
}

// Limit of a recording: about 2 MB.
const LONGEST_MS = 120_000
const TYPES = ['audio/webm;codecs=opus', 'audio/mp4', 'audio/ogg;codecs=opus']

/** An error of the microphone or the speech service; another method may still work. */
class SpeechError extends Error {
  constructor(readonly kind: string) {
    super(kind)
  }
}

export class Voice extends typedTarget<{ change: null }>() {
  state: VoiceState = 'off'
  #api: Api
  // The response of GET /api/voice.
  #server: VoiceOut | null = null
  #stop: (() => void) | null = null

  constructor(api: Api) {
    super()
    this.#api = api
  }

  /** Why dictation is unavailable; empty if it is available. Asks the server once. */
  async reason(): Promise<string> {
    return (await this.#methods()).reason
  }

  /** Resolves to the text when it is stopped or the speaker ends. */
  async listen(): Promise<string> {
    if (this.state !== 'off') return ''
    this.#setState('starting')
    try {
      const { methods, reason } = await this.#methods()
      if (!methods.length) throw new Error(reason)
      return await this.#tryMethods(methods)
    } finally {
      this.#stop = null
      this.#setState('off')
    }
  }

  stop(): void {
    this.#stop?.()
  }

  async #tryMethods(methods: readonly SpeechMethod[]): Promise<string> {
    const Recognition = recognition()
    try {
      return await (methods[0] === 'speech' && Recognition ? this.#bySpeech(Recognition) : this.#byRecorder())
    } catch (error) {
      if (!(error instanceof SpeechError)) throw error
      const others = fallbackMethods(error.kind, methods)
      if (others.length) return this.#tryMethods(others)
      throw new Error(speechErrorText(error.kind, this.#server?.reason))
    }
  }

  async #methods(): Promise<ReturnType<typeof speechMethods>> {
    this.#server ??= await this.#api<VoiceOut>('GET', '/voice').catch((error: unknown) => ({
      available: false,
      reason: messageOf(error),
    }))
    return speechMethods(
      { speech: recognition() !== null, recorder: 'MediaRecorder' in globalThis, secure: isSecureContext },
      this.#server,
    )
  }

  async #bySpeech(Recognition: RecognitionClass): Promise<string> {
    const listener = new Recognition()
    listener.lang = navigator.language
    listener.continuous = true
    listener.interimResults = false
    if (await onDevice(Recognition, listener.lang)) listener.processLocally = true
    return new Promise((resolve, reject) => {
      const transcripts: string[] = []
      let error = ''
      listener.onstart = () => this.#listening(() => listener.stop())
      listener.onresult = ({ results, resultIndex }) => {
        for (const result of [...results].slice(resultIndex)) {
          if (result.isFinal) transcripts.push(result[0]?.transcript.trim() ?? '')
        }
      }
      listener.onerror = (event) => {
        error = event.error
      }
      listener.onend = () => {
        if (error && !transcripts.length) reject(new SpeechError(error))
        else resolve(transcripts.join(' '))
      }
      try {
        listener.start()
      } catch {
        reject(new SpeechError('start'))
      }
    })
  }

  async #byRecorder(): Promise<string> {
    const stream = await navigator.mediaDevices.getUserMedia({ audio: true }).catch((error: unknown) => {
      throw new SpeechError(error instanceof Error ? error.name : String(error))
    })
    try {
      const audio = await this.#record(stream)
      this.#setState('writing')
      const form = new FormData()
      form.append('file', audio, 'speech')
      return (await this.#api<TranscriptOut>('POST', '/voice', form)).text
    } finally {
      for (const track of stream.getTracks()) track.stop()
    }
  }

  #record(stream: MediaStream): Promise<Blob> {
    const mimeType = TYPES.find((type) => MediaRecorder.isTypeSupported(type))
    const recorder = new MediaRecorder(stream, mimeType ? { mimeType } : {})
    const chunks: Blob[] = []
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => recorder.stop(), LONGEST_MS)
      recorder.onstart = () =>
        this.#listening(() => {
          if (recorder.state !== 'inactive') recorder.stop()
        })
      recorder.ondataavailable = ({ data }) => chunks.push(data)
      recorder.onerror = () => reject(new SpeechError('audio-capture'))
      recorder.onstop = () => {
        clearTimeout(timer)
        resolve(new Blob(chunks, { type: recorder.mimeType }))
      }
      recorder.start()
    })
  }

  #listening(stop: () => void): void {
    this.#stop = stop
    this.#setState('listening')
  }

  #setState(state: VoiceState): void {
    this.state = state
    this.dispatchEvent(new CustomEvent('change'))
  }
}

function recognition(): RecognitionClass | null {
  // Not in TypeScript's DOM library, and prefixed in some browsers.
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as typeof globalThis & {
    SpeechRecognition?: RecognitionClass
    webkitSpeechRecognition?: RecognitionClass
  }
  return SpeechRecognition ?? webkitSpeechRecognition ?? null
}

/** Whether speech in this language is recognised on the device. */
async function onDevice(Recognition: RecognitionClass, lang: string): Promise<boolean> {
  try {
    return (await Recognition.available?.({ langs: [lang], processLocally: true })) === 'available'
  } catch {
    return false
  }
}
