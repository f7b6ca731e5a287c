// Trusted Types on the player's page: asciinema-player sets its own templates as HTML. They pass if
// they hold nothing but drawing and text; everything else, and every script, is refused by the browser.
{
  const TAGS = new Set(('button canvas circle defs div g kbd li line mask p path pre polygon polyline rect'
    + ' span svg ul').split(' '))
  const RUNS = /[\s/"'](?:on[a-z]+|href|src|srcdoc|action|formaction)\s*=|javascript:/i
  const passes = (html) => !RUNS.test(html)
    && [...html.matchAll(/<\/?([^\s>/]*)/g)].every(([, tag]) => TAGS.has(tag.toLowerCase()))

  globalThis.trustedTypes?.createPolicy('default', {
    createHTML: (html) => (passes(html) ? html : null),
  })
}
