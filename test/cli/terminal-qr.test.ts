import { describe, expect, it } from 'vitest'
import { chooseQrStyle, drawQr } from '../../src/cli/terminal-qr.ts'
import { readTerminalQr } from './read-terminal-qr.ts'

const texts = {
  'a Lightning invoice': `LIGHTNING:LNBC131570N1P${'QYGH2ERTZ0'.repeat(28)}`,
  'a Liquid address':
    'liquidnetwork:lq1qqvxk052kf3qtkxmrakx50a9gc3smqad2ync54hzntjt980kfej9kkfe0247rp5h4yzmdftsahhw64uy8pzfe7cpg4fgykm7cv?amount=0.00013157&assetid=6f0279e9ed041c3d710a9f57d0c02928416460c4b722ae3457a11eec381c526d&label=Sotto',
  'a short text': 'bitcoin:bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq?amount=0.0005',
}

describe.each(Object.entries(texts))('%s', (_name, text) => {
  const draw = (style: Parameters<typeof drawQr>[1]): string => drawQr(text, style).lines.join('\n')

  it.each([true, false])('is read in colors on a dark (%s) terminal', (dark) => {
    expect(readTerminalQr(draw({ colors: true, lightBackground: false }), { dark })).toBe(text)
    expect(readTerminalQr(draw({ colors: true, lightBackground: true }), { dark })).toBe(text)
  })

  it.each([true, false])('is read without colors on a dark (%s) terminal', (dark) => {
    const drawn = draw({ colors: false, lightBackground: !dark })
    expect(drawn).not.toContain('\u001b')
    expect(readTerminalQr(drawn, { dark })).toBe(text)
  })

  it('has as many columns as it reports, with four light modules around it', () => {
    const { lines, width } = drawQr(text, { colors: false, lightBackground: true })
    expect(lines.map((line) => line.length)).toEqual(lines.map(() => width))
    expect(lines.slice(0, 2).join('').trim()).toBe('')
    expect(lines.slice(-2).join('').trim()).toBe('')
    for (const line of lines) expect([line.slice(0, 4), line.slice(-4)]).toEqual(['    ', '    '])
  })
})

describe('the style of a code', () => {
  it('has colors in a terminal only', () => {
    expect(chooseQrStyle(true, {})).toEqual({ colors: true, lightBackground: false })
    expect(chooseQrStyle(false, {})).toEqual({ colors: false, lightBackground: false })
  })

  it.each([
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '' }, false],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: 'false' }, false],
    [true, { FORCE_COLOR: '1', NO_COLOR: '1' }, false],
    [true, { FORCE_COLOR: '1', TERM: 'dumb' }, true],
  ])('on a terminal (%s) with %j has colors: %s', (isTerminal, environment, colors) => {
    expect(chooseQrStyle(isTerminal, environment).colors).toBe(colors)
  })

  it.each([
    ['0;15', true],
    ['0;7', true],
    ['0;default;15', true],
    ['15;0', false],
    ['15;8', false],
    ['7;17', false],
    ['', false],
  ])('reads the background of COLORFGBG=%s', (value, light) => {
    expect(chooseQrStyle(false, { COLORFGBG: value }).lightBackground).toBe(light)
  })
})
