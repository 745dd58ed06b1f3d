import type { PDFPageProxy } from 'pdfjs-dist'
import { WindowError } from '../../../../ui/failure.ts'
import { fitSize, type Pixels } from './pixels.ts'

/** In pixels for each point of 1/72 inch: 250 dots per inch. */
const DENSITY = 250 / 72
/** The text of annotations is read elsewhere. */
const WITHOUT_ANNOTATIONS = 0

/** Draws a page for recognition. The browser draws between frames, so that the window stays responsive. */
export async function drawPage(page: PDFPageProxy): Promise<Pixels> {
  const { width, height, scale } = fitSize(page.getViewport({ scale: DENSITY }))
  const viewport = page.getViewport({ scale: DENSITY * scale })
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new WindowError('attachment/recognition-failed')
  await page.render({ canvas, viewport, annotationMode: WITHOUT_ANNOTATIONS }).promise
  page.cleanup()
  const { data } = context.getImageData(0, 0, width, height)
  // Frees its memory before the next page.
  canvas.width = 0
  return { data, width, height }
}
