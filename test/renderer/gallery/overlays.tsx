import { useState } from 'react'
import { Button } from '../../../src/renderer/ui/button.tsx'
import { Dialog, DialogActions } from '../../../src/renderer/ui/dialog.tsx'
import { SelectField } from '../../../src/renderer/ui/select.tsx'

const overlays = ['dialog', 'confirmation', 'sheet'] as const
type Overlay = (typeof overlays)[number]
const names: Readonly<Record<Overlay, string>> = {
  dialog: 'Rename chat',
  confirmation: 'Delete this chat?',
  sheet: 'Who can read it',
}

/** A dialog, a confirmation and a sheet, each behind a button. */
export function Overlays() {
  const [open, setOpen] = useState<Overlay>()
  const close = () => setOpen(undefined)
  return (
    <section aria-label="Overlays">
      <h2>Overlays</h2>
      <div className="gallery-line">
        {overlays.map((overlay) => (
          <Button key={overlay} onClick={() => setOpen(overlay)}>
            {names[overlay]}
          </Button>
        ))}
      </div>
      {overlays.map((overlay) => (
        <Dialog
          key={overlay}
          open={open === overlay}
          onClose={close}
          title={names[overlay]}
          says="You can undo this for 6 seconds."
          alert={overlay === 'confirmation'}
          sheet={overlay === 'sheet'}
        >
          {overlay === 'dialog' && (
            <SelectField label="Project">
              <option>None</option>
              <option>Garden</option>
            </SelectField>
          )}
          <DialogActions>
            <Button onClick={close}>Cancel</Button>
            <Button kind={overlay === 'confirmation' ? 'danger' : 'primary'} onClick={close}>
              Continue
            </Button>
          </DialogActions>
        </Dialog>
      ))}
    </section>
  )
}
