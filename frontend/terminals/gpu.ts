// Whether a real GPU is available: a software renderer behind WebGL is slower than the DOM renderer.

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render|mesa offscreen/i

let cached: boolean | null = null

export function hasGpu(): boolean {
  cached ??= detect()
  return cached
}

export function isSoftware(renderer: string): boolean {
  return renderer === '' || SOFTWARE.test(renderer)
}

function detect(): boolean {
  const gl = new OffscreenCanvas(1, 1).getContext('webgl2', { failIfMajorPerformanceCaveat: true })
  if (!gl) return false
  const info = gl.getExtension('WEBGL_debug_renderer_info')
  const renderer = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : ''
  gl.getExtension('WEBGL_lose_context')?.loseContext() // a page may have only sixteen contexts
  return !isSoftware(renderer)
}
