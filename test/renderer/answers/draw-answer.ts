import { act } from '@testing-library/react'
import { createElement } from 'react'
import { vi } from 'vitest'
import type { Message } from '../../../src/shared/conversation.ts'
import { AnswerBody } from '../../../src/renderer/features/chat/answer-body.tsx'
import { drawFormula } from '../../../src/renderer/features/chat/draw-formula.ts'
import { LiveAnswer } from '../../../src/renderer/features/chat/live-answer.ts'
import { preloadMarkdown } from '../../../src/renderer/features/chat/prose-parser.ts'
import { drawInPage } from '../in-page.ts'

/** Code stays without colors, because the page of a test has no workers. */
class SilentWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}
vi.stubGlobal('Worker', SilentWorker)

function messageOf(text: string): Message {
  return {
    id: 'm1',
    conversationId: 'c1',
    role: 'assistant',
    text,
    state: 'complete',
    createdAt: 0,
    model: 'model',
    privacy: 'sealed',
  }
}

/** A reply in the page of a test, with its formulas. */
export async function drawAnswer(text: string): Promise<HTMLElement> {
  await preloadMarkdown()
  void drawFormula('x', false)
  const { container } = drawInPage(createElement(AnswerBody, { message: messageOf(text), live: undefined }))
  await drawn(container)
  return container
}

/** Characters up to which a reply is drawn after each of them: above, after each hundredth, because the time is quadratic. */
const DRAWN_EACH = 600

/** Draws the same reply as a stream, one character after the other, and then finished. */
export async function streamAnswer(text: string): Promise<HTMLElement> {
  await preloadMarkdown()
  void drawFormula('x', false)
  const live = new LiveAnswer(0)
  const page = drawInPage(createElement(AnswerBody, { message: messageOf(''), live }))
  const frames = vi.spyOn(globalThis, 'requestAnimationFrame')
  const step = text.length > DRAWN_EACH ? 100 : 1
  for (let at = 0; at < text.length; at += step) {
    act(() => {
      frames.mockImplementation((frame) => (frame(0), 0))
      for (const unit of text.slice(at, at + step).split('')) live.add(unit, '')
      frames.mockRestore()
    })
  }
  page.rerender(createElement(AnswerBody, { message: messageOf(text), live: undefined }))
  await drawn(page.container)
  return page.container
}

/** Formulas, and blocks beyond one frame's budget, come in the next frames. */
async function drawn(container: HTMLElement): Promise<void> {
  const frame = () => act(() => new Promise<void>((done) => requestAnimationFrame(() => done())))
  await frame()
  for (let frames = 0; frames < 50 && container.querySelector('[data-formula=waiting]'); frames++)
    await frame()
  await frame()
}

const SKIPPED = new Set(['DIV', 'SPAN', 'SECTION', 'BDI', 'TBODY', 'THEAD'])

/** What a reader sees, as short markup: tags without classes, formulas by their source, links by their address. */
export function shapeOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent ?? ''
  if (!(node instanceof HTMLElement)) return [...node.childNodes].map(shapeOf).join('')
  const { tagName, dataset } = node
  if (dataset['formula'] !== undefined) {
    const tex = node.querySelector('annotation')?.textContent ?? node.textContent
    const name = node.getAttribute('role') === 'group' ? 'display' : 'math'
    return dataset['formula'] === 'drawn' ? `<${name}>${tex}</${name}>` : `<source>${tex}</source>`
  }
  if (tagName === 'FIGURE') {
    const code = node.querySelector('pre')
    return `<pre ${code?.getAttribute('aria-label') ?? ''}>${code?.textContent ?? ''}</pre>`
  }
  const inner = [...node.childNodes].map(shapeOf).join('')
  if (node.getAttribute('role') === 'button') return `<a ${node.title}>${inner}</a>`
  if (tagName === 'BUTTON') return `[${node.getAttribute('aria-label') ?? node.textContent}]`
  if (tagName === 'IMG') return `<img ${node.getAttribute('alt') ?? ''}>`
  if (tagName === 'INPUT') return node.getAttribute('checked') === null ? '☐' : '☑'
  if (tagName === 'BR' || tagName === 'HR') return `<${tagName.toLowerCase()}>`
  if (SKIPPED.has(tagName)) return inner
  const start = node.getAttribute('start') ?? node.getAttribute('value')
  const name = tagName.toLowerCase()
  return `<${name}${start === null ? '' : ` ${start}`}>${inner}</${name}>`
}
