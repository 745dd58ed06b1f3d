import { t } from '@lingui/core/macro'
import type { RecorderTrouble } from './recorder.ts'

/** Why nothing is being recorded, and what to do. */
export function troubleWords(trouble: RecorderTrouble): string {
  switch (trouble) {
    case 'refused':
      return t`Microphone access was denied. Nothing was recorded. Allow access in your browser, or for Sotto in system settings, then try again.`
    case 'no-microphone':
      return t`No microphone found. Connect one, then try again.`
    case 'busy':
      return t`The microphone isn’t responding. Close any other app that may be using it, then try again.`
    case 'not-supported':
      return t`This browser can’t record audio. Use another browser or the Sotto desktop app.`
  }
}
