// The page's one Trusted Types policy. Addresses of scripts are written here; nothing else gets in.
// A second policy of this name is refused by the browser (terminals/policy.py).
const SCRIPTS = new Set(['/sw.js'])

const policy = globalThis.trustedTypes?.createPolicy('webtmux', {
  createScriptURL(address) {
    if (!SCRIPTS.has(address)) throw new TypeError('no script of ours')
    return address
  },
})

export function scriptAddress(address) {
  return policy ? policy.createScriptURL(address) : address
}
