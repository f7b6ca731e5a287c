// Everything that only fingers need, loaded where there are some.
import './key-row.js'

export { panAndZoom } from './pan-zoom.js'
export { encode, modified } from './row-keys.js'
export { allowKeyboard, useKeyboard } from './soft-keyboard.js'
