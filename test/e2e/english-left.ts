import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'

const sources = ['renderer', 'shared'].map((part) =>
  join(import.meta.dirname, '../../src', part, 'languages'),
)

/** Maps each sentence's English to its translation. */
function catalogue(tag: string): Map<string, string> {
  const sentences = new Map<string, string>()
  const joined = (lines: string | undefined): string =>
    (lines ?? '')
      .trim()
      .split('\n')
      .map((line): string => (line === '' ? '' : String(JSON.parse(line))))
      .join('')
  for (const entry of sources.flatMap((folder) =>
    readFileSync(join(folder, `${tag}.po`), 'utf8')
      .split('\n\n')
      .slice(1),
  )) {
    const [, english, translation] = /^msgid ((?:".*"\n)+)msgstr ((?:".*"(?:\n|$))+)/m.exec(entry) ?? []
    if (english !== undefined) sentences.set(joined(english), joined(translation))
  }
  return sentences
}

const PLACEHOLDER = /<\/?\d+\/?>|\{\w+\}/

/**
 * The pieces of an English sentence that appear unchanged on the screen: the texts between its placeholders,
 * or the whole sentence if it has none.
 */
function piecesOf(sentence: string): string[] {
  return sentence.includes(', plural,') ? [] : sentence.split(PLACEHOLDER).map((piece) => piece.trim())
}

/** Only its length distinguishes a piece between placeholders from other text. */
const isTelling = (piece: string): boolean => piece.split(/\s+/).length >= 3

export interface EnglishLeft {
  /**
   * Finds texts that a person sees or hears on this page in English, although the language's catalog has
   * another text.
   */
  on(page: Page): Promise<string[]>
}

/** @param input text that a person or a model wrote, which isn't translated */
export function englishIn(tag: string, input: string): EnglishLeft {
  const translations = catalogue(tag)
  const same = new Set(
    [...translations].flatMap(([english, theirs]) => (theirs.includes(english) ? [english] : [])),
  )
  const whole = new Set(
    [...translations.keys()].filter((english) => !PLACEHOLDER.test(english) && !same.has(english)),
  )
  const parts = [
    ...new Set(
      [...translations]
        .filter(([english]) => PLACEHOLDER.test(english))
        .flatMap(([english, theirs]) =>
          piecesOf(english).filter((piece) => isTelling(piece) && !theirs.includes(piece)),
        ),
    ),
  ]
  if (whole.size < 1000 || parts.length < 50) throw new Error('The catalogue was not read.')
  return {
    async on(page) {
      const texts = await page.evaluate(() => {
        const found = new Set<string>()
        const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
        for (let node = walk.nextNode(); node; node = walk.nextNode()) {
          if (node instanceof Element)
            for (const name of ['aria-label', 'title', 'placeholder', 'alt', 'aria-description'])
              found.add(node.getAttribute(name)?.trim() ?? '')
          else if (!node.parentElement?.closest('code, pre, kbd, option, textarea, style, script'))
            found.add(node.textContent?.trim() ?? '')
        }
        return [...found]
      })
      return texts.filter(
        (text) => !input.includes(text) && (whole.has(text) || parts.some((part) => text.includes(part))),
      )
    },
  }
}
