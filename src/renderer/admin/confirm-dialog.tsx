import { Trans } from '@lingui/react/macro'
import { useScope } from '../data/service-scope.tsx'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { FailureNote } from '../ui/failure-note.tsx'
import { useAction } from '../ui/use-action.ts'
import { refreshTeam } from './team-answers.ts'

interface ConfirmDialogProps {
  /** The question, such as "Remove Ann?". */
  title: string
  /** The consequences, in sentences. */
  meaning: string
  /** The button's text (`does`), and its text while the action runs (`doing`). */
  does: string
  doing: string
  act: () => Promise<void>
  close: () => void
}

/** Asks before something ends for good. The dialog shows any error that `act` throws. */
export function ConfirmDialog({ title, meaning, does, doing, act, close }: ConfirmDialogProps) {
  const scope = useScope()
  const confirmed = useAction(async () => {
    await act()
    await refreshTeam(scope)
    close()
  })
  return (
    <Dialog open onClose={close} alert title={title} says={meaning}>
      {confirmed.failure && <FailureNote failure={confirmed.failure} />}
      <DialogActions>
        <Button onClick={close} autoFocus>
          <Trans>Cancel</Trans>
        </Button>
        <Button kind="danger" busy={confirmed.busy && doing} onClick={() => void confirmed.run()}>
          {does}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
