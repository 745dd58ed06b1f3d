import type { LocalKeyView } from '../../../../shared/local-key.ts'
import { IncreaseDialog } from './increase-dialog.tsx'
import { EditKeyDialog, RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import type { LocalKeyAct } from './key-row.tsx'

interface LocalKeyActionProps {
  act: LocalKeyAct
  /** The key's state when the user chose the action. */
  localKey: LocalKeyView
  close: () => void
}

/** The dialog of an action with a local key. */
export function LocalKeyAction({ act, localKey, close }: LocalKeyActionProps) {
  switch (act) {
    case 'edit':
      return <EditKeyDialog localKey={localKey} close={close} />
    case 'increase':
      return <IncreaseDialog localKey={localKey} close={close} />
    case 'revoke':
      return <RevokeDialog localKey={localKey} close={close} />
    case 'rotate':
      return <RotateDialog close={close} />
  }
}
