// Dark, light or system theme: an attribute on <html> that base.css reads. Emits `theme-changed`.
import { load, save } from './memory'

export type Theme = '' | 'dark' | 'light'

export function setTheme(theme: Theme): void {
  save('theme', theme)
  applyTheme()
}

export function applyTheme(): void {
  const theme = load<Theme>('theme', '')
  if (theme) document.documentElement.dataset['theme'] = theme
  else delete document.documentElement.dataset['theme']
  document.dispatchEvent(new CustomEvent('theme-changed'))
}

export function isDark(): boolean {
  const theme = document.documentElement.dataset['theme']
  return theme ? theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches
}

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', applyTheme)
