import { t } from '@lingui/core/macro'
import { app, dialog, type BrowserWindow } from 'electron'
import type { Saved } from '../shared/desktop-channels.ts'

/** The countries that use the paper size Letter (Unicode CLDR, measurementData). */
const LETTER: ReadonlySet<string> = new Set('BZ CA CL CO CR GT MX NI PA PH PR SV US VE'.split(' '))

/** Chromium's reason if the person closes the system's dialog. */
const CANCELED = 'Print job canceled'

/** Prints the shown view through the system's dialog. */
export function printPage(window: BrowserWindow | null): void {
  window?.webContents.print({}, (printed, reason) => {
    if (!printed && reason !== CANCELED)
      dialog.showErrorBox(t`Couldn’t print`, t`Check the printer, or save the view as a PDF.`)
  })
}

/**
 * Saves the shown view as a PDF, at a place that the person chooses.
 *
 * @param save asks for the place
 */
export async function savePageAsPdf(
  window: BrowserWindow | null,
  save: (name: string, content: Uint8Array) => Promise<Saved>,
): Promise<void> {
  if (window === null) return
  try {
    const pageSize = LETTER.has(app.getLocaleCountryCode()) ? 'Letter' : 'A4'
    await save('Sotto.pdf', await window.webContents.printToPDF({ pageSize }))
  } catch {
    dialog.showErrorBox(t`Couldn’t save the file`, t`Sotto couldn’t create the PDF. Try again.`)
  }
}
