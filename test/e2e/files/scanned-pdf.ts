import type { Page } from '@playwright/test'
import { pdfWith } from './pdf.ts'

/** A picture of these lines, as a browser draws them. */
export async function pictureOf(
  page: Page,
  lines: readonly string[],
  type: 'image/jpeg' | 'image/png',
): Promise<Buffer> {
  const address = await page.evaluate(
    ([texts, format]) => {
      const canvas = document.createElement('canvas')
      canvas.width = 1_240
      canvas.height = 400
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = 'white'
      context.fillRect(0, 0, canvas.width, canvas.height)
      context.fillStyle = 'black'
      context.font = '48px sans-serif'
      for (const [at, line] of texts.entries()) context.fillText(line, 80, 100 + at * 80)
      return canvas.toDataURL(format)
    },
    [lines, type] as const,
  )
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

/** A PDF with one page, which is a picture of 1240 × 400 pixels, as a scanner makes it. */
export function scannedPdf(picture: Buffer): Buffer {
  const image = picture.toString('latin1')
  const drawing = 'q 446 0 0 144 40 600 cm /Im0 Do Q'
  return pdfWith(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Resources << /XObject << /Im0 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Length ${String(drawing.length)} >>\nstream\n${drawing}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width 1240 /Height 400 /ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode /Length ${String(image.length)} >>\nstream\n${image}\nendstream`,
    ],
    '',
  )
}
