// Colours code: lowlight finds the parts, Lit renders them as spans with classes, so no markup is made of
// text. A chunk of its own, loaded with the first code that has a language (highlighting.ts).
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { createLowlight } from 'lowlight'
import { html, type TemplateResult } from '../core/view'

export type Coloured = (TemplateResult | string)[]
interface Part {
  type: string
  value?: string
  children?: readonly Part[]
  properties?: { className?: unknown }
}

const lowlight = createLowlight({
  bash,
  c,
  cpp,
  css,
  diff,
  go,
  ini,
  java,
  javascript,
  json,
  makefile,
  markdown,
  python,
  ruby,
  rust,
  sql,
  typescript,
  xml,
  yaml,
})

/** Null for a language that is not known here. */
export function coloured(code: string, language: string): Coloured | null {
  if (!lowlight.registered(language)) return null
  return parts(lowlight.highlight(language, code).children as readonly Part[])
}

function parts(nodes: readonly Part[]): Coloured {
  return nodes.map((node) => {
    if (node.type !== 'element') return node.value ?? ''
    const names = Array.isArray(node.properties?.className) ? node.properties.className : []
    return html`<span class=${names.join(' ')}>${parts(node.children ?? [])}</span>`
  })
}
