// Icons of the composer; the buttons have labels.
import { html } from '../core/view'

export const CLIP = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m14.8 9.3-5.4 5.4a3.2 3.2 0 0 1-4.5-4.5l6.2-6.2a2.1 2.1 0 0 1 3 3L8 13.1a1 1 0 0 1-1.5-1.4l5-5"/></svg>`
export const MICROPHONE = html`<svg viewBox="0 0 20 20" aria-hidden="true"><rect x="7.5" y="2.5" width="5" height="9" rx="2.5"/><path d="M4.5 9.5a5.5 5.5 0 0 0 11 0M10 15v2.5"/></svg>`
export const STOP = html`<svg viewBox="0 0 20 20" aria-hidden="true"><rect class="filled" x="5.5" y="5.5" width="9" height="9" rx="1.5"/></svg>`
export const CLOCK = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M3.5 10a6.5 6.5 0 1 0 2-4.7L3.5 7.2M3.5 3.5v3.7h3.7M10 6.5V10l2.5 1.8"/></svg>`
export const SEND = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M10 16V4.5M5 9l5-5 5 5"/></svg>`
export const TYPE = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M7 4.5h6M7 15.5h6M10 4.5v11"/></svg>`
export const RETURN = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="M15.5 4.5V9a2 2 0 0 1-2 2H5M8 7.5 4.5 11 8 14.5"/></svg>`
export const CROSS = html`<svg viewBox="0 0 20 20" aria-hidden="true"><path d="m5.5 5.5 9 9m0-9-9 9"/></svg>`
