// Icons for buttons, drawn as strokes in the text colour. A button is named by its aria-label, never by
// the icon alone.
import { html, svg, type TemplateResult } from 'lit'

const icon = (shapes: TemplateResult<2>) =>
  html`<svg class="glyph" viewBox="0 0 16 16" aria-hidden="true" focusable="false">${shapes}</svg>`

export const icons = {
  plus: icon(svg`<path d="M8 3v10M3 8h10"/>`),
  more: icon(svg`<path d="M3.5 8h.01M8 8h.01M12.5 8h.01" stroke-width="2.4"/>`),
  pin: icon(svg`<path d="M10 2.5 13.5 6l-2.2.6-2.6 2.6-.5 2.9L3.9 7.8l2.9-.5 2.6-2.6zM6 10l-3 3"/>`),
  check: icon(svg`<path d="m3 8.5 3.2 3.2L13 4.8"/>`),
  fold: icon(svg`<path d="m6 4 4 4-4 4"/>`),
  rail: icon(svg`<rect x="2" y="3" width="12" height="10" rx="2"/><path d="M6.5 3v10"/>`),
  back: icon(svg`<path d="M10 3 5 8l5 5"/>`),
  search: icon(svg`<circle cx="7" cy="7" r="4"/><path d="m10 10 3.5 3.5"/>`),
  right: icon(svg`<rect x="2" y="3" width="12" height="10" rx="2"/><path d="M8 3v10"/>`),
  below: icon(svg`<rect x="2" y="3" width="12" height="10" rx="2"/><path d="M2 8h12"/>`),
  zoom: icon(svg`<path d="M9.5 3H13v3.5M6.5 13H3V9.5M13 3 9 7M3 13l4-4"/>`),
  fit: icon(svg`<path d="M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3"/>`),
  // Sliders: a gear of this size looks like a sun.
  settings: icon(
    svg`<path d="M2 4.5h5.5M11.5 4.5H14M2 11.5h2.5M8.5 11.5H14"/><circle cx="9.5" cy="4.5" r="1.9"/><circle cx="6.5" cy="11.5" r="1.9"/>`,
  ),
  close: icon(svg`<path d="m4 4 8 8M12 4l-8 8"/>`),
  stop: icon(svg`<rect x="3.5" y="3.5" width="9" height="9" rx="1.5"/>`),
  away: icon(svg`<path d="M8 2.5 14 13H2z"/><path d="M8 6.5v3M8 11.4v.01"/>`),
  agent: icon(svg`<rect x="3" y="5" width="10" height="8" rx="2"/><path d="M8 5V2.5M6 8.5v1M10 8.5v1"/>`),
  pane: icon(svg`<path d="m3 5 3 3-3 3M8 11h5"/>`),
  board: icon(svg`<path d="M3 3v10M8 3v6M13 3v8" stroke-width="2.2"/>`),
  bell: icon(svg`<path d="M4 11.5V7a4 4 0 0 1 8 0v4.5l1 1H3zM6.8 14.2h2.4"/>`),
  text: icon(svg`<path d="M3 4h10M3 7h10M3 10h10M3 13h6"/>`),
  action: icon(svg`<path d="M9 2 4 9h4l-1 5 5-7H8z"/>`),
}
