// <settings-screen>: what this browser remembers about the page, applied at once. Each setting is stored by the
// module that it belongs to.
import './settings.css'
import { messageOf } from '../core/events'
import { load } from '../core/memory'
import type { Place } from '../core/router'
import type { Services } from '../core/services'
import type { Store } from '../core/store'
import { setTheme, type Theme } from '../core/theme'
import { customElement, html, nothing, property, state, type TemplateResult, View } from '../core/view'
import { SCHEMES } from '../terminals/colour-schemes'
import { changeFamily, changeSize, fontSettings, SIZES } from '../terminals/font-settings'
import { setSizePolicy, type SizePolicy, sizePolicy } from '../terminals/size-policy'
import { schemeName, setScheme } from './terminal-colours'
import { isOn, notificationState, sendTest, turnOff, turnOn } from './notifier'

const THEMES: readonly (readonly [Theme, string])[] = [
  ['', 'Same as the system'],
  ['light', 'Light'],
  ['dark', 'Dark'],
]
const POLICIES: readonly (readonly [SizePolicy, string, string])[] = [
  [
    'unattached',
    'This page, if no other terminal shows the window',
    'On a phone only when you choose “Fit to this screen”.',
  ],
  [
    'click',
    'Only when I choose “Fit to this screen”',
    'Windows keep their size, and the font shrinks until they fit.',
  ],
  ['never', 'Never this page', 'tmux and other terminals decide.'],
]
const FONTS = ['JetBrains Mono', 'Fira Code', 'Cascadia Code', 'Source Code Pro', 'IBM Plex Mono', 'Hack']

@customElement('settings-screen')
export class SettingsScreen extends View {
  @property({ attribute: false }) services!: Services
  @property({ attribute: false }) store!: Store
  @property({ attribute: false }) place!: Place
  @state() private problem = ''
  #changed = () => this.requestUpdate()

  override connectedCallback(): void {
    super.connectedCallback()
    for (const type of ['theme-changed', 'font-changed']) document.addEventListener(type, this.#changed)
    addEventListener('focus', this.#changed) // the permission may have been changed in the browser
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    for (const type of ['theme-changed', 'font-changed']) document.removeEventListener(type, this.#changed)
    removeEventListener('focus', this.#changed)
  }

  override render(): TemplateResult {
    return html`
      <div class="settings">
        <p class="quiet">Settings are stored in this browser.</p>
        ${this.#appearance()} ${this.#terminal()} ${this.#sizes()} ${this.#notifications()}
      </div>`
  }

  #appearance(): TemplateResult {
    const current = load<Theme>('theme', '')
    return html`
      <fieldset class="card">
        <legend>Theme</legend>
        ${THEMES.map(([theme, title]) => this.#radio('theme', title, theme === current, () => setTheme(theme)))}
      </fieldset>`
  }

  #terminal(): TemplateResult {
    const { size, family } = fontSettings()
    const [font = ''] = family.split(',')
    const shown = font.startsWith('ui-monospace') ? '' : font.replaceAll('"', '')
    const scheme = schemeName()
    return html`
      <fieldset class="card">
        <legend>Terminal</legend>
        <label class="setting"><span>Font</span>
          <input class="field" list="settings-fonts" placeholder="Default" .value=${shown} autocomplete="off" spellcheck="false"
            aria-describedby="settings-font-hint" @change=${this.#setFont}>
          <datalist id="settings-fonts">${FONTS.map((name) => html`<option value=${name}></option>`)}</datalist>
          <small class="quiet" id="settings-font-hint">A monospaced font that is installed on this device. Leave empty for the default.</small>
        </label>
        <div class="setting"><span id="settings-size">Font size</span>
          <div class="stepper" role="group" aria-labelledby="settings-size">
            <button class="button icon" aria-label="Smaller font" ?disabled=${size <= SIZES.least} @click=${() => changeSize(-1)}>−</button>
            <output>${size} px</output>
            <button class="button icon" aria-label="Larger font" ?disabled=${size >= SIZES.most} @click=${() => changeSize(1)}>+</button>
            <button class="button plain" @click=${() => changeSize(0)}>Reset</button>
          </div>
        </div>
        <label class="setting"><span>Colours</span>
          <select class="field" @change=${this.#setScheme}>
            <option value="" .selected=${scheme === ''}>Same as the theme</option>
            ${SCHEMES.map(({ name, title }) => html`<option value=${name} .selected=${name === scheme}>${title}</option>`)}
          </select>
        </label>
        <p class="sample mono" style="font-family:${family};font-size:${size}px" aria-hidden="true">$ echo 0O 1lI {} =&gt; hello</p>
      </fieldset>`
  }

  #sizes(): TemplateResult {
    const current = sizePolicy()
    return html`
      <fieldset class="card">
        <legend>Who decides the size of windows</legend>
        ${POLICIES.map(([policy, title, hint]) =>
          this.#radio(
            'size',
            title,
            policy === current,
            () => {
              setSizePolicy(policy)
              this.requestUpdate()
            },
            hint,
          ),
        )}
      </fieldset>`
  }

  #notifications(): TemplateResult {
    const { text, canTurnOn } = notificationState()
    return html`
      <fieldset class="card">
        <legend>Notifications</legend>
        <p role="status">${text}</p>
        ${this.problem ? html`<p class="settings-problem" role="alert">${this.problem}</p>` : nothing}
        <div class="setting-buttons">
          ${
            isOn()
              ? html`<button class="button" @click=${this.#run(turnOff)}>Turn off</button>
              <button class="button" @click=${this.#run(sendTest)}>Send a test</button>`
              : html`<button class="button primary" ?disabled=${!canTurnOn} @click=${this.#run(turnOn)}>Turn on</button>`
          }
        </div>
      </fieldset>`
  }

  #radio(group: string, title: string, checked: boolean, choose: () => void, hint = ''): TemplateResult {
    return html`<label class="choice"><input type="radio" name="settings-${group}" .checked=${checked} @change=${choose}>
      <span>${title}${hint ? html`<small class="quiet">${hint}</small>` : nothing}</span></label>`
  }

  #setFont = ({ currentTarget }: Event & { currentTarget: HTMLInputElement }): void =>
    changeFamily(currentTarget.value.replace(/[;{}"'\\]/g, ''))

  #setScheme = ({ currentTarget }: Event & { currentTarget: HTMLSelectElement }): void =>
    setScheme(currentTarget.value)

  #run = (action: () => unknown) => async (): Promise<void> => {
    this.problem = ''
    try {
      await action()
    } catch (error) {
      this.problem = messageOf(error)
    }
    this.requestUpdate()
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'settings-screen': SettingsScreen
  }
}
