import type { PDFDocumentProxy, PDFPageProxy } from 'pdfjs-dist'
import { MAX_TEXT_BYTES } from '../../shared/attachment-limits.ts'
import { WindowError } from '../ui/failure.ts'
import { annotationLines, layOutPage } from './pdf-text.ts'

const MAX_PDF_PAGES = 1_000

/** For the model, before a recognized text. */
const RECOGNIZED = 'recognized from its image. It may contain errors.'

/** The text that was recognized in an image, marked as such. */
export function markRecognized(text: string): string {
  return `[Text ${RECOGNIZED}]\n${text}`
}

export interface PdfText {
  readonly text: string
  readonly pages: number
  /** From 1. */
  readonly pagesWithoutText: readonly number[]
  /** Pages whose text was recognized in their image, from 1. */
  readonly recognizedPages: readonly number[]
}

/** Returns the text in the image of a page, or an empty text. */
export type RecognizePage = (page: PDFPageProxy, number: number, of: number) => Promise<string>

/**
 * The text of all pages, with the values of forms and the notes on each page.
 *
 * @param document of `pdfjs-dist`
 * @param recognize for pages without text, if a person asked for it
 * @throws {WindowError} attachment/pdf-too-large, -no-text, -damaged, attachment/too-large; attachment/no-text-recognized
 */
export async function readPages(
  document: PDFDocumentProxy,
  onPage: (read: number, of: number) => void,
  recognize?: RecognizePage,
): Promise<PdfText> {
  const pages = document.numPages
  if (pages > MAX_PDF_PAGES) throw new WindowError('attachment/pdf-too-large')
  const texts: string[] = []
  const recognizedPages: number[] = []
  let length = 0
  for (let number = 1; number <= pages; number += 1) {
    let text = await pageText(document, number)
    if (text === '' && recognize) {
      text = await recognize(await document.getPage(number), number, pages)
      if (text !== '') recognizedPages.push(number)
    }
    length += text.length
    if (length > MAX_TEXT_BYTES) throw new WindowError('attachment/too-large')
    texts.push(text)
    onPage(number, pages)
  }
  if (texts.every((text) => text === ''))
    throw new WindowError(recognize ? 'attachment/no-text-recognized' : 'attachment/pdf-no-text')
  return {
    pages,
    pagesWithoutText: texts.flatMap((text, at) => (text === '' ? [at + 1] : [])),
    recognizedPages,
    // The model reads which pages are only pictures, so that it doesn't take the text for all of them.
    text: texts
      .map((text, at) => {
        const page = `Page ${String(at + 1)}`
        if (text === '') return `[${page} has no text.]`
        return recognizedPages.includes(at + 1) ? `[${page}, ${RECOGNIZED}]\n${text}` : `[${page}]\n${text}`
      })
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
