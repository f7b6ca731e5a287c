// The icon of the tab, with a count on it. Drawn on a canvas: every browser takes a PNG there.

const SIZE = 64
const link = () => document.querySelector('link[rel="icon"]')
let plain = null // the address of the icon without a count

export function drawIcon(count) {
  plain ??= { href: link().href, type: link().type }
  if (!count) return Object.assign(link(), plain)
  const picture = new Image()
  picture.onload = () => { Object.assign(link(), { href: withCount(picture, count), type: 'image/png' }) }
  picture.src = plain.href
}

function withCount(picture, count) {
  const canvas = Object.assign(document.createElement('canvas'), { width: SIZE, height: SIZE })
  const pen = canvas.getContext('2d')
  const style = getComputedStyle(document.body)
  pen.drawImage(picture, 0, 0, SIZE, SIZE)
  pen.fillStyle = style.getPropertyValue('--badge')
  pen.beginPath()
  pen.arc(44, 44, 20, 0, Math.PI * 2)
  pen.fill()
  pen.fillStyle = style.getPropertyValue('--on-badge')
  pen.font = 'bold 30px system-ui, sans-serif'
  pen.textAlign = 'center'
  pen.textBaseline = 'middle'
  pen.fillText(count > 9 ? '9+' : String(count), 44, 46)
  return canvas.toDataURL()
}
