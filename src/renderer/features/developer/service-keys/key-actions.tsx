import type { ServiceKey } from '../../../../shared/service-key.ts'
import { useScopedState } from '../../../data/use-answer.ts'
import { EditKeyDialog, RevealKeyDialog, RevokeDialog, RotateDialog } from './key-dialogs.tsx'
import type { ServiceKeyAct } from './key-row.tsx'
import { madeKey } from './keys-store.ts'

interface ServiceKeyActionProps {
  act: ServiceKeyAct
  serviceKey: ServiceKey
  keys: readonly ServiceKey[]
  close: () => void
}

/** The dialog of an action with an API key. After a rotation, the dialog with the new secret takes its place. */
export function ServiceKeyAction({ act, serviceKey, keys, close }: ServiceKeyActionProps) {
  const rotated = useScopedState(madeKey) !== null
  switch (act) {
    case 'reveal':
      return <RevealKeyDialog serviceKey={serviceKey} close={close} />
    case 'edit':
      return <EditKeyDialog keys={keys} serviceKey={serviceKey} close={close} />
    case 'revoke':
      return <RevokeDialog serviceKey={serviceKey} close={close} />
    case 'rotate':
      return rotated ? null : <RotateDialog serviceKey={serviceKey} close={close} />
  }
}
