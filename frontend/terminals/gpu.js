// Whether a real GPU draws: a software renderer behind WebGL is slower than the DOM.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|mesa offscreen/i

let known = null

export function hasGpu() {
  known ??= ask()
  return known
}

export function isSoftware(renderer) {
  return renderer === '' || SOFTWARE.test(renderer)
}

function ask() {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (!gl) return false
  const named = gl.getExtension('WEBGL_debug_renderer_info')
  const renderer = named ? String(gl.getParameter(named.UNMASKED_RENDERER_WEBGL)) : ''
  gl.getExtension('WEBGL_lose_context')?.loseContext() // a page has only sixteen
  return !isSoftware(renderer)
}
