// The one Trusted Types policy of the page. Only the script addresses listed here are allowed. The
// browser refuses a second policy of this name (terminals/page/csp.py).
const SCRIPTS = new Set(['/sw.js'])

interface Policy {
  createScriptURL(address: string): unknown
}
interface PolicyFactory {
  createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy
}

const { trustedTypes } = globalThis as { trustedTypes?: PolicyFactory }
const policy = trustedTypes?.createPolicy('webtmux', {
  createScriptURL(address) {
    if (!SCRIPTS.has(address)) throw new TypeError(`Script not allowed: ${address}`)
    return address
  },
})

/** A string for TypeScript; with Trusted Types it is the object that the browser requires. */
export function scriptAddress(address: string): string {
  return policy ? (policy.createScriptURL(address) as string) : address
}
