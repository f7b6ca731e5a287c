// Everything that only touch devices need, loaded there.
import './key-row'

export { panAndZoom } from './pan-zoom'
export { encode } from './row-keys'
export { allowKeyboard, useKeyboard } from './soft-keyboard'
export { ScreenFollower } from './screen-follower'
