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
      canvas.width = 900
      canvas.height = 200
      const context = canvas.getContext('2d')
      if (!context) throw new Error('no canvas')
      context.fillStyle = 'white'
      context.fillRect(0, 0, canvas.width, canvas.height)
      context.fillStyle = 'black'
      context.font = '36px sans-serif'
      for (const [at, line] of texts.entries()) context.fillText(line, 40, 70 + at * 60)
      return canvas.toDataURL(format)
    },
    [lines, type] as const,
  )
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

/** How a PDF names the formats that scanners write. */
const IMAGE_FORMATS = {
  jpeg: '/ColorSpace /DeviceRGB /BitsPerComponent 8 /Filter /DCTDecode',
  jbig2: '/ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /JBIG2Decode',
  jpeg2000: '/Filter /JPXDecode',
}

/** A PDF with one page, which is a picture of 900 × 200 pixels, as a scanner makes it. */
export function scannedPdf(picture: Buffer, format: keyof typeof IMAGE_FORMATS = 'jpeg'): Buffer {
  const image = picture.toString('latin1')
  const drawing = 'q 324 0 0 72 0 0 cm /Im0 Do Q'
  return pdfWith(
    [
      '<< /Type /Catalog /Pages 2 0 R >>',
      '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
      '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 324 72] /Resources << /XObject << /Im0 5 0 R >> >> /Contents 4 0 R >>',
      `<< /Length ${String(drawing.length)} >>\nstream\n${drawing}\nendstream`,
      `<< /Type /XObject /Subtype /Image /Width 900 /Height 200 ${IMAGE_FORMATS[format]} /Length ${String(image.length)} >>\nstream\n${image}\nendstream`,
    ],
    '',
  )
}
