import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { parseUsd } from '../../../../shared/money.ts'
import type { Status } from '../../../../shared/status.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog, DialogActions } from '../../../ui/dialog.tsx'
import { formatUsd } from '../../../ui/format/money.ts'
import { convertFile } from './convert-file.ts'

export interface ConvertDialogProps {
  fileKey: string
  name: string
  offer: NonNullable<Status['service']['documentConversion']>
  onClose: () => void
  onConvert: () => void
}

/** Asks for each document, and shows the cost, who can read it, and where its text goes afterwards. */
export function ConvertDialog({
  fileKey,
  name,
  offer: { priceUsd },
  onClose,
  onConvert,
}: ConvertDialogProps) {
  const pico = priceUsd === undefined ? null : parseUsd(priceUsd)
  const price = pico === null ? undefined : formatUsd(pico.toString())
  return (
    <Dialog
      open
      alert
      onClose={onClose}
      title={t`Convert ${name} in the enclave?`}
      says={t`The document is sealed to the verified enclave. Only the enclave can read it.`}
    >
      <p>
        {price === undefined ? (
          <Trans>
            The service charges a fee for each document, even if it has no text. It doesn’t publish the fee.
          </Trans>
        ) : (
          <Trans>The service charges {price} for each document, even if it has no text.</Trans>
        )}
      </p>
      <p>
        <Trans>
          The converted text is attached to your message. When you send it, it goes to this chat’s model.
        </Trans>
      </p>
      <DialogActions>
        <Button onClick={onClose}>
          <Trans>Cancel</Trans>
        </Button>
        <Button
          kind="primary"
          onClick={() => {
            onConvert()
            void convertFile(fileKey)
          }}
        >
          {price === undefined ? <Trans>Convert for a fee</Trans> : <Trans>Convert for {price}</Trans>}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
