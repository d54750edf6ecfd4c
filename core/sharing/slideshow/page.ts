/** The page of a slideshow: one file with its style and its script, which needs only the pictures beside it. */

import type { SlideshowLanguage } from '../../../schema/api/slideshow.ts'
import { directionOf } from '../../../schema/choose-language.ts'
import { product } from '../../../schema/limits.ts'
import { escapedHtml } from '../../kernel/html.ts'

export interface Slide {
  file: string
  type: 'image' | 'video'
  width: number
  height: number
  caption: string[]
}

export const english: SlideshowLanguage = {
  tag: 'en-GB',
  texts: {
    slideshow: 'Slideshow',
    play: 'Play',
    pause: 'Pause',
    previous: 'Previous',
    next: 'Next',
    close: 'Close',
    position: '{position} of {count}',
  },
}

/** JSON for a script element, escaped so that it can't end the element. */
function embedded(value: unknown): string {
  return JSON.stringify(value).replace(/[<>\u2028\u2029]/g, c => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

const style = `
:root { color-scheme: dark; --text: #f4f4f5; --soft: #a1a1aa }
* { box-sizing: border-box }
body { margin: 0; background: #0b0b0c; color: var(--text); font: 15px/1.5 system-ui, sans-serif }
header { padding: 24px clamp(16px, 4vw, 48px) 12px; display: flex; gap: 16px; align-items: baseline; flex-wrap: wrap }
h1 { font-size: 20px; margin: 0 }
header button { margin-inline-start: auto }
button { font: inherit; color: inherit; background: #27272a; border: 0; border-radius: 999px; padding: 8px 18px; cursor: pointer; min-height: 44px }
button:hover { background: #3f3f46 }
:focus-visible { outline: 2px solid #8ab4f8; outline-offset: 2px }
#grid { display: grid; gap: 8px; padding: 8px clamp(16px, 4vw, 48px) 48px; grid-template-columns: repeat(auto-fill, minmax(min(100%, 220px), 1fr)) }
#grid a { display: block; aspect-ratio: 4 / 3; overflow: hidden; border-radius: 6px; background: #18181b; position: relative }
#grid img, #grid video { width: 100%; height: 100%; object-fit: cover; display: block }
#grid .film::after { content: '▶'; position: absolute; inset-inline-end: 10px; bottom: 6px; text-shadow: 0 0 6px #000 }
#show { position: fixed; inset: 0; background: #000; display: none; grid-template-rows: minmax(0, 1fr) auto; touch-action: pan-y }
#show.open { display: grid }
#stage { display: grid; place-items: center; min-height: 0; padding: 16px }
#stage img, #stage video { max-width: 100%; max-height: 100%; object-fit: contain; min-height: 0 }
#foot { padding: 8px 20px 16px; display: flex; gap: 12px; align-items: center; flex-wrap: wrap }
#caption { flex: 1; min-width: 200px } #caption p { margin: 0 } #caption p + p { color: var(--soft) }
#count { color: var(--soft); font-variant-numeric: tabular-nums }
`

const script = `
const { slides, texts } = JSON.parse(document.getElementById('data').textContent)
const find = id => document.getElementById(id)
const [grid, show, stage, caption, count, play] = ['grid', 'show', 'stage', 'caption', 'count', 'play'].map(find)
const figures = new Intl.NumberFormat(document.documentElement.lang)
const positionText = n => texts.position.replace('{position}', figures.format(n)).replace('{count}', figures.format(slides.length))
const right = document.dir === 'rtl' ? -1 : 1
let at = 0, timer = 0, playing = false
slides.forEach((slide, n) => {
  const link = document.createElement('a')
  link.href = '#' + (n + 1)
  if (slide.type === 'video') link.className = 'film'
  link.setAttribute('aria-label', slide.caption.join(', ') || positionText(n + 1))
  const media = document.createElement(slide.type === 'video' ? 'video' : 'img')
  if (slide.type === 'video') { media.preload = 'metadata'; media.muted = true; media.tabIndex = -1 } else { media.loading = 'lazy'; media.alt = '' }
  media.src = slide.file
  link.append(media)
  grid.append(link)
})
function open(n) {
  at = (n + slides.length) % slides.length
  const slide = slides[at]
  const media = document.createElement(slide.type === 'video' ? 'video' : 'img')
  media.src = slide.file
  if (slide.type === 'video') { media.controls = true; media.autoplay = true; media.onended = () => playing && move(1) } else media.alt = slide.caption.join(', ')
  stage.replaceChildren(media)
  caption.replaceChildren(...slide.caption.map(line => Object.assign(document.createElement('p'), { textContent: line, dir: 'auto' })))
  count.textContent = positionText(at + 1)
  show.classList.add('open')
  const next = slides[(at + 1) % slides.length]
  if (next.type === 'image') new Image().src = next.file
  clearTimeout(timer)
  if (playing && slide.type === 'image') timer = setTimeout(() => move(1), 5000)
}
const move = by => { location.replace('#' + ((at + by + slides.length) % slides.length + 1)) }
function close() { set(false); show.classList.remove('open'); stage.replaceChildren(); history.replaceState(null, '', location.pathname + location.search) }
function set(on) { playing = on; play.textContent = on ? texts.pause : texts.play; clearTimeout(timer); if (on) { if (!show.classList.contains('open')) location.hash = '#1'; else open(at) } }
function follow() { const n = Number(location.hash.slice(1)); if (n >= 1 && n <= slides.length) open(n - 1); else if (show.classList.contains('open')) close() }
addEventListener('hashchange', follow)
addEventListener('keydown', event => {
  if (!show.classList.contains('open')) return
  if (event.key === 'ArrowRight') move(1)
  else if (event.key === 'ArrowLeft') move(-1)
  else if (event.key === 'Escape') close()
  else if (event.key === ' ' && event.target.tagName !== 'BUTTON' && event.target.tagName !== 'VIDEO') { event.preventDefault(); set(!playing) }
})
let from = null
stage.addEventListener('pointerdown', event => { from = event.clientX })
stage.addEventListener('pointerup', event => { if (from !== null && Math.abs(event.clientX - from) > 40) move(event.clientX < from ? right : -right); from = null })
find('start').onclick = () => set(true)
play.onclick = () => set(!playing)
find('previous').onclick = () => move(-1)
find('next').onclick = () => move(1)
find('close').onclick = close
follow()
`

/** The whole page. `title`, captions and texts are escaped here. */
export function slideshowPage(title: string, slides: readonly Slide[], { tag, texts }: SlideshowLanguage): string {
  const button = (id: 'previous' | 'play' | 'next' | 'close') =>
    `<button id="${id}" type="button">${escapedHtml(texts[id])}</button>`
  return `<!doctype html>
<html lang="${escapedHtml(tag)}" dir="${directionOf(tag)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="${escapedHtml(product)}">
<title>${escapedHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<header><h1 dir="auto">${escapedHtml(title)}</h1><button id="start" type="button">${escapedHtml(texts.play)}</button></header>
<main id="grid"></main>
<div id="show" role="dialog" aria-label="${escapedHtml(texts.slideshow)}">
<div id="stage"></div>
<div id="foot">
<div id="caption" aria-live="polite"></div>
<span id="count"></span>
${button('previous')}
${button('play')}
${button('next')}
${button('close')}
</div>
</div>
<script id="data" type="application/json">${embedded({ slides, texts })}</script>
<script>${script}</script>
</body>
</html>
`
}
