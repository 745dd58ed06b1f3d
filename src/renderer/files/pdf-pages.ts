import type { PDFDocumentProxy } from 'pdfjs-dist'
import { MAX_TEXT_BYTES } from '../../shared/attachment-limits.ts'
import { WindowError } from '../ui/failure.ts'
import { annotationLines, layOutPage } from './pdf-text.ts'

const MAX_PDF_PAGES = 1_000

export interface PdfText {
  readonly text: string
  readonly pages: number
  /** From 1. */
  readonly pagesWithoutText: readonly number[]
}

/**
 * The text of all pages, with the values of forms and the notes on each page.
 *
 * @param document of `pdfjs-dist`
 * @throws {WindowError} attachment/pdf-too-large, -no-text, -damaged, attachment/too-large
 */
export async function readPages(
  document: PDFDocumentProxy,
  onPage: (read: number, of: number) => void,
): Promise<PdfText> {
  const pages = document.numPages
  if (pages > MAX_PDF_PAGES) throw new WindowError('attachment/pdf-too-large')
  const texts: string[] = []
  let length = 0
  for (let number = 1; number <= pages; number += 1) {
    const text = await pageText(document, number)
    length += text.length
    if (length > MAX_TEXT_BYTES) throw new WindowError('attachment/too-large')
    texts.push(text)
    onPage(number, pages)
  }
  if (texts.every((text) => text === '')) throw new WindowError('attachment/pdf-no-text')
  return {
    pages,
    pagesWithoutText: texts.flatMap((text, at) => (text === '' ? [at + 1] : [])),
    // The model reads which pages are only pictures, so that it doesn't take the text for all of them.
    text: texts
      .map((text, at) =>
        text === '' ? `[Page ${String(at + 1)} has no text.]` : `[Page ${String(at + 1)}]\n${text}`,
      )
      .join('\n\n'),
  }
}

async function pageText(document: PDFDocumentProxy, number: number): Promise<string> {
  try {
    const page = await document.getPage(number)
    const { items } = await page.getTextContent()
    const annotations: readonly object[] = await page.getAnnotations()
    page.cleanup()
    const placed = items.flatMap((item) => {
      if (!('str' in item)) return []
      const [, , c = 0, d = 0, x = 0, y = 0] = item.transform.map(Number)
      return [{ text: item.str, x, y, width: item.width, height: item.height || Math.hypot(c, d) || 1 }]
    })
    return [layOutPage(placed), ...annotationLines(annotations)].filter((text) => text !== '').join('\n')
  } catch {
    throw new WindowError('attachment/pdf-damaged')
  }
}
