// The icon of the browser tab, with a count. Drawn on a canvas: every browser accepts a PNG there.

type Icon = Pick<HTMLLinkElement, 'href' | 'type'>

const SIZE = 64
// The icon without a count.
let original: Icon | null = null

export function drawIcon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel="icon"]')
  if (!link) return
  const plain = original ?? { href: link.href, type: link.type }
  original = plain
  if (!count) return void Object.assign(link, plain)
  const image = new Image()
  image.onload = () => {
    const href = withCount(image, count)
    if (href) Object.assign(link, { href, type: 'image/png' } satisfies Icon)
  }
  image.src = plain.href
}

/** The address of the picture; empty if the browser has no canvas left. */
function withCount(image: HTMLImageElement, count: number): string {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
  const context = canvas.getContext('2d')
  if (!context) return ''
  const style = getComputedStyle(document.body)
  context.drawImage(image, 0, 0, SIZE, SIZE)
  context.fillStyle = style.getPropertyValue('--badge')
  context.beginPath()
  context.arc(44, 44, 20, 0, Math.PI * 2)
  context.fill()
  context.fillStyle = style.getPropertyValue('--on-badge')
  context.font = 'bold 30px system-ui, sans-serif'
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  context.fillText(count > 9 ? '9+' : String(count), 44, 46)
  return canvas.toDataURL()
}
