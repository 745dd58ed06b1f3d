import { t } from '@lingui/core/macro'
import type { RecorderTrouble } from './recorder.ts'

/** Why nothing is recorded, and what to do. */
export function troubleWords(trouble: RecorderTrouble): string {
  switch (trouble) {
    case 'refused': return t`The microphone was not allowed. Nothing was recorded. Allow it for this page in the browser, or for Sotto in the settings of the system, and start again.`
    case 'no-microphone': return t`No microphone was found. Connect one, and start again.`
    case 'busy': return t`The microphone does not answer: another program may be using it. Close that program, and start again.`
    case 'not-supported': return t`This browser cannot record. Use another one, or Sotto’s own window.`
  }
}
