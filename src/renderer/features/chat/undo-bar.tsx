import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import { Toast } from '../../ui/toast.tsx'
import { undoRemoval, useRemoval } from './removal.ts'

/** The last removal while it can be undone. */
export function UndoBar() {
  const last = useRemoval((state) => state.last)
  return last && <Toast message={i18n._(last.message)} action={t`Undo`} onAction={() => void undoRemoval()} />
}
