import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checkDrawing } from '../../../src/renderer/files/readers/drawing-images.ts'

const cases = join(import.meta.dirname, 'cases')
const small = readFileSync(join(cases, 'pic.png'))
/** A PNG whose header states this size. */
function png(width: number, height: number): string {
  const bytes = Buffer.from(small)
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return `data:image/png;base64,${bytes.toString('base64')}`
}
const HUGE = png(30_000, 30_000).split(',')[1] ?? ''
const svg = (inside: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="10" height="10">${inside}</svg>`

describe('a drawing before it is drawn', () => {
  it.each([
    ['shapes', readFileSync(join(cases, 'pic.svg'), 'utf8')],
    ['a small image', svg(`<image href="${png(40, 20)}"/><image xlink:href="${png(40, 20)}"/>`)],
    ['a reference within it', svg('<use href="#a"/><rect fill="url(#b)" style="stroke: url(#c)"/>')],
    [
      'a font',
      svg(`<style>@font-face { src: url(data:font/woff2;base64,${btoa('wOF2 and more')}); }</style>`),
    ],
    ['words about data', svg('<text>Data: 1, 2 and 3</text><title>data:none</title>')],
    ['text as data', svg('<a href="data:text/plain,hello"/><a href="data:text/plain;base64,aGVsbG8="/>')],
    ['a path of an editor', svg('<g xmlns:inkscape="i" inkscape:export-filename="C:\\\\a.png"/>')],
  ])('with %s is drawn', (_, markup) => {
    expect(checkDrawing(markup)).toBe('drawable')
  })

  it.each([
    ['one image', svg(`<image href="${png(30_000, 30_000)}"/>`)],
    ['a very wide image', svg(`<image href="${png(90_000, 1)}"/>`)],
    ['many images', svg(`<image href="${png(5_000, 5_000)}"/>`.repeat(5))],
    ['an image in a style', svg(`<rect style="fill: url('${png(30_000, 30_000)}')"/>`)],
    ['an image in a style sheet', svg(`<style>svg { background: url(${png(30_000, 30_000)}) }</style>`)],
    ['a coded image', svg(`<image href="&#100;ata:image/png;base64,${HUGE}"/>`)],
    ['a style with escapes', svg(`<rect style="fill: url(\\64 ata\\3aimage/png;base64,${HUGE})"/>`)],
    ['an address with line breaks', svg(`<image href="da&#10;ta:image/png;base&#x9;64,${HUGE}"/>`)],
    ['percent signs', svg(`<image href="data:image/png;base64,${HUGE.replaceAll('A', '%41')}"/>`)],
    ['bytes without base64', svg(`<image href="data:image/gif,GIF89a~~~~"/>`)],
    [
      'an image that calls itself a font',
      svg(
        `<style>svg { background: url(${png(30_000, 30_000).replace('image/png', 'font/woff2')}) }</style>`,
      ),
    ],
  ])('with too many pixels in %s is refused', (_, markup) => {
    expect(checkDrawing(markup)).toBe('too-many-pixels')
  })

  it.each([
    ['an image of unknown size', svg(`<image href="data:image/png;base64,${png(1, 1).slice(22, 40)}"/>`)],
    ['a second drawing', svg('<image href="data:image/svg+xml,%3Csvg/%3E"/>')],
    ['a second drawing in base64', svg(`<image href="data:image/svg+xml;base64,${btoa(svg(''))}"/>`)],
    ['an entity of its own', `<!DOCTYPE svg [<!ENTITY a "data">]>${svg('<image href="&a;:,"/>')}`],
  ])('with %s is not drawn', (_, markup) => {
    expect(checkDrawing(markup)).toBe('unknown')
  })
})
