// How speech can become text in this browser, and what an error means. Pure.
import type { VoiceOut } from '../core/generated/api'
import { sentence } from '../core/sentence'

export type SpeechMethod = 'speech' | 'recorder'

/** What this browser can do. */
export interface SpeechSupport {
  speech: boolean
  recorder: boolean
  secure: boolean
}

export const NEEDS_SECURE = 'The microphone works only over HTTPS or on localhost.'
// Errors of the speech service: the microphone may still work for a recording.
const SERVICE_FAILED = new Set(['network', 'service-not-allowed', 'language-not-supported', 'start'])
const ERRORS: Readonly<Record<string, string>> = {
  'not-allowed': 'Microphone access was denied. Allow it in the address bar.',
  'audio-capture': 'No microphone found.',
  'no-speech': 'No speech detected.',
  network: "The browser's speech service cannot be reached.",
  'service-not-allowed': 'The browser does not allow its speech service here.',
  'language-not-supported': "The browser's speech service does not support this language.",
  start: 'The browser could not start listening.',
}
// getUserMedia uses other names for the same errors.
const DEVICE: Readonly<Record<string, string>> = {
  NotAllowedError: 'not-allowed',
  NotFoundError: 'audio-capture',
  NotReadableError: 'audio-capture',
}

/**
 * `server` is the response of `GET /api/voice`. Returns the methods in the order to try them, and the
 * reason if there is none.
 */
export function speechMethods(
  browser: SpeechSupport,
  server: VoiceOut,
): { methods: SpeechMethod[]; reason: string } {
  if (!browser.secure) return { methods: [], reason: NEEDS_SECURE }
  const methods: SpeechMethod[] = []
  if (browser.speech) methods.push('speech')
  if (browser.recorder && server.available) methods.push('recorder')
  return {
    methods,
    reason: methods.length ? '' : `This browser cannot transcribe speech. ${sentence(server.reason)}`,
  }
}

/** The methods left to try after `error` in the first one. */
export function fallbackMethods(error: string, methods: readonly SpeechMethod[]): SpeechMethod[] {
  return SERVICE_FAILED.has(error) ? methods.slice(1) : []
}

/** The text of an error when no method is left; `reason` is that of the server. */
export function speechErrorText(error: string, reason = ''): string {
  const text = ERRORS[DEVICE[error] ?? error] ?? `Dictation failed (${error}).`
  return SERVICE_FAILED.has(error) && reason ? `${text} ${sentence(reason)}` : text
}
