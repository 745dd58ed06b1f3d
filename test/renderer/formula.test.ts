import { createElement, Fragment } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, test } from 'vitest'
import { drawFormula } from '../../src/renderer/features/chat/draw-formula.ts'
import { formulaTree } from '../../src/renderer/features/chat/formula-tree.ts'

function markup(tex: string, display = false): string | undefined {
  const tree = drawFormula(tex, display)
  return tree === undefined ? undefined : renderToStaticMarkup(createElement(Fragment, null, tree))
}

/** Only the tags, because texts contain the user's input. */
function tagsOf(tex: string): string {
  return (markup(tex)?.match(/<[^>]*>/g) ?? []).join('')
}

describe('drawFormula', () => {
  test.each([
    'E = mc^2',
    '\\frac{a}{b}',
    '\\sqrt{x}',
    '\\begin{pmatrix}1&2\\\\3&4\\end{pmatrix}',
    '\\overbrace{x+y}^{z}',
    '\\text{für } x<y \\& z',
    '\\cancel{x}',
    '\\newcommand{\\mine}{\\mathbb{R}} x \\in \\mine',
    '\\int_0^1',
    '\\ce{2H2 + O2 -> 2H2O}',
    '\\begin{array}{c}a\\end{array}',
  ])('draws %s, with MathML for screen readers', (tex) => {
    const drawn = markup(tex)
    expect(drawn).toContain('<math')
    expect(drawn).toContain('katex-html')
    expect(drawn).not.toMatch(/undefined|NaN/)
  })

  test.each(['align', 'equation', 'gather*', 'multline', 'eqnarray'])('draws %s with its number', (name) =>
    expect(markup(`\\begin{${name}}a\\label{x}\\end{${name}}`, true)).toContain('<mtable'),
  )

  test.each(['\\frac{1}{', '\\unknown', '}', '\\begin{a}', '$', '\\left(', 'x'.repeat(4001)])(
    'refuses %s',
    (tex) => expect(markup(tex)).toBeUndefined(),
  )

  test.each([
    '\\href{javascript:alert(1)}{x}',
    '\\href{https://evil.example}{x}',
    '\\url{https://evil.example}',
    '\\includegraphics{https://evil.example/x.png}',
    '\\htmlClass{sealed}{x}',
    '\\htmlId{window}{x}',
    '\\htmlStyle{position:fixed;background:url(https://evil.example)}{x}',
    '\\htmlData{a=b}{x}',
    '\\text{<img src=x onerror=alert(1)>}',
    '\\text{<script>alert(1)</script>}',
  ])('draws %s without links, resources, scripts or attributes of the window', (tex) => {
    const drawn = tagsOf(tex)
    expect(drawn).not.toMatch(
      /<(?:img|a|script|iframe)\b|\shref=|\ssrc=|\sid=|\son\w+=|sealed"|url\(|position:fixed|data-/,
    )
  })

  test('ignores the colors in the text', () => {
    const drawn = tagsOf(
      '\\color{green}x \\textcolor{#0b6848}{y} \\colorbox{red}{z} \\fcolorbox{red}{blue}{w}',
    )
    expect(drawn).toContain('katex-html')
    expect(drawn).not.toMatch(/green|#0b6848|red|blue|background/)
  })

  test('limits every length', () => {
    const lengths = [
      ...tagsOf('\\rule{9999em}{9999em}\\hspace{9999em}\\raisebox{9999em}{x}').matchAll(
        /style="[^"]*?(-?[\d.]+)em/g,
      ),
    ].map(([, length]) => Math.abs(Number(length)))
    expect(lengths.length).toBeGreaterThan(0)
    expect(Math.max(...lengths)).toBeLessThan(100)
    for (const tex of [
      'x\\kern-9999em y',
      '\\raisebox{-9999em}{x}',
      '\\hspace{-201em}x',
      '\\rule[-9999em]{1em}{1em}',
    ])
      expect(markup(tex)).toBeUndefined()
  })

  test.each([
    ['a macro of itself', '\\def\\a{\\a\\a}\\a'],
    [
      'macros that double',
      `${Array.from({ length: 24 }, (_, at) => `\\def\\${letter(at + 1)}{\\${letter(at)}\\${letter(at)}}`).join('')}\\${letter(24)}`,
    ],
    ['a long body, often', `\\def\\x{${'y'.repeat(1900)}}${'\\x'.repeat(900)}`],
    ['braces', `${'{'.repeat(1900)}x${'}'.repeat(1900)}`],
    ['roots', `${'\\sqrt{'.repeat(500)}x${'}'.repeat(500)}`],
    ['fractions', `${'\\frac{1}{'.repeat(400)}x${'}'.repeat(400)}`],
    ['exponents', `${'x^{'.repeat(900)}x${'}'.repeat(900)}`],
    ['left and right', `${'\\left('.repeat(280)}x${'\\right)'.repeat(280)}`],
    ['a matrix of matrices', `${'\\begin{matrix}'.repeat(130)}x${'\\end{matrix}'.repeat(130)}`],
    ['many cells', `\\begin{matrix}${'a&b\\\\'.repeat(640)}\\end{matrix}`],
    ['an expansion by \\expandafter', '\\expandafter\\def\\expandafter\\a\\expandafter{\\a\\a}\\a'],
  ])('finishes with %s', (_what, tex) => {
    const start = process.cpuUsage()
    const drawn = markup(tex)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(1500)
    expect(drawn?.length ?? 0).toBeLessThan(4_000_000)
  })
})

/** A macro's name, which contains only letters. */
function letter(at: number): string {
  return `q${String.fromCharCode(97 + at)}`
}

describe('formulaTree', () => {
  test.each(['<span>', '</span>', '<span></p>', '<span', '<span onclick="x', 'a<b', '<a href=x>y</a>'])(
    'refuses %s',
    (text) => expect(formulaTree(text)).toBeUndefined(),
  )

  test('removes elements and attributes that aren’t on its lists, and keeps their content', () => {
    const tree = formulaTree(
      '<span class="a" onclick="x" style="height:1em;color:red;background:url(x);width:calc(1px)"><a href="x">y</a><img src="x"/></span>',
    )
    expect(renderToStaticMarkup(createElement(Fragment, null, tree))).toBe(
      '<span class="a" style="height:1em">y</span>',
    )
  })

  test('refuses too many elements, and too deep ones', () => {
    expect(formulaTree('<span></span>'.repeat(12_001))).toBeUndefined()
    expect(formulaTree('<span>'.repeat(200) + '</span>'.repeat(200))).toBeUndefined()
  })
})
