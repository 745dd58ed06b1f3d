import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { useEffect, useState } from 'react'
import { FailureNote } from './failure-note.tsx'
import { codedFailure } from './failure.ts'
import type { Failure } from '../../shared/contract/sotto-contract.ts'
import { CONVERT_PATH } from '../../shared/convertible-document.ts'
import { costDifference, costOf } from '../../shared/receipt-cost.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Fact, Facts, HexFact } from './facts.tsx'
import { formatExactUsd, formatSats } from './format/money.ts'
import { formatBytes, formatCount } from './format/number.ts'
import { formatAdded, formatDateTime, formatLatency } from './format/time.ts'
import privacyStyles from './privacy-mark.module.css'
import { privacyMeaning, PrivacyMark } from './privacy-mark.tsx'
import { fromCore } from './language/core-sentences.ts'
import styles from './receipt-dialog.module.css'
import { ReceiptRouting } from './receipt-routing.tsx'
import { ReceiptTools } from './receipt-tools.tsx'
import { fetchReceipt, showReceipt, useReceipts } from './receipt-store.ts'
import { useRoute } from './route.ts'
import { useDirect } from './status-store.ts'

const outcomeWord: Readonly<Record<Receipt['outcome'], string>> = {
  get complete() {
    return t`Complete`
  },
  get interrupted() {
    return t`Interrupted: the reply ended early`
  },
  get cancelled() {
    return t`Stopped by you`
  },
  get failed() {
    return t`Failed`
  },
  get refused() {
    return t`Blocked: nothing was sent`
  },
}

const callerWord: Readonly<Record<Receipt['caller']['kind'], string>> = {
  get window() {
    return t`This window`
  },
  get proxy() {
    return t`Tool, via the local API`
  },
  get cli() {
    return t`Command line`
  },
}
const sandboxCallerWord: Readonly<Record<Receipt['caller']['kind'], string>> = {
  get window() {
    return t`This window (demo mode)`
  },
  get proxy() {
    return t`Tool, via the local API (demo mode)`
  },
  get cli() {
    return t`Command line (demo mode)`
  },
}

/** Everything that is known about one request, with all digits, but nothing of its content. */
export function ReceiptDialog() {
  const id = useRoute().receiptId ?? null
  const receipt = useReceipts((state) => (id === null ? undefined : state.receipts[id]))
  const [missed, setMissed] = useState<{ readonly id: string; readonly failure: Failure }>()
  useEffect(() => {
    if (id === null) return
    let open = true
    void fetchReceipt(id).then((failure) => {
      if (open) setMissed(failure && { id, failure })
    })
    return () => {
      open = false
    }
  }, [id])
  const failure = receipt || missed?.id !== id ? undefined : missed.failure
  return (
    <Dialog
      open={id !== null}
      onClose={() => showReceipt(undefined)}
      wide
      title={t`Receipt`}
      says={
        receipt ? (
          <span className={privacyStyles.says}>
            <PrivacyMark privacy={receipt.privacy} />
            <span>{privacyMeaning[receipt.privacy]}</span>
          </span>
        ) : failure ? undefined : (
          t`Loading receipt…`
        )
      }
    >
      {failure && <FailureNote failure={failure} />}
      {receipt && <ReceiptBody receipt={receipt} />}
    </Dialog>
  )
}

function ReceiptBody({ receipt }: { receipt: Receipt }) {
  const { enclave, usage, estimate } = receipt
  const sealed = receipt.privacy === 'sealed' || receipt.privacy === 'relayed'
  return (
    <>
      <Facts>
        <Fact name={t`Outcome`}>
          {outcomeWord[receipt.outcome]}
          {receipt.withoutEndMark && (
            <p>
              <Trans>
                The service ended the stream without its end mark. The model had stated why it stopped, so the
                reply is complete.
              </Trans>
            </p>
          )}
          {receipt.code !== undefined && (
            <p>
              {fromCore(codedFailure(receipt.code).says)} <code>{receipt.code}</code>
              {receipt.step !== undefined && (
                <>
                  {' '}
                  <Trans>
                    at check <code>{receipt.step}</code>
                  </Trans>
                </>
              )}
            </p>
          )}
        </Fact>
        <Fact name={t`Model`}>
          <code>{receipt.model}</code>
        </Fact>
        {receipt.askedModel !== undefined && (
          <Fact name={t`Asked for`}>
            <code>{receipt.askedModel}</code>
          </Fact>
        )}
        <Fact name={t`Time`}>{formatDateTime(receipt.at)}</Fact>
        <Fact name={t`Sent from`}>
          {receipt.service === 'sandbox'
            ? sandboxCallerWord[receipt.caller.kind]
            : callerWord[receipt.caller.kind]}
        </Fact>
        {enclave && (
          <>
            <Fact name={t`Enclave`}>{enclave.host}</Fact>
            {enclave.releaseTag !== undefined && <Fact name={t`Release`}>{enclave.releaseTag}</Fact>}
            <Fact name={t`Verified at`}>{formatDateTime(enclave.verifiedAt)}</Fact>
            <HexFact name={t`Measurement`} copies={t`Copy measurement`} hex={enclave.measurement} />
            <HexFact name={t`Encryption key`} copies={t`Copy encryption key`} hex={enclave.hpkePublicKey} />
            <HexFact
              name={t`Evidence (SHA-256)`}
              copies={t`Copy evidence (SHA-256)`}
              hex={enclave.evidenceDigest}
            />
          </>
        )}
        {receipt.requestDigest !== undefined && (
          <HexFact
            name={sealed ? t`Request ciphertext, SHA-256` : t`Request body, SHA-256`}
            copies={sealed ? t`Copy request ciphertext, SHA-256` : t`Copy request body, SHA-256`}
            hex={receipt.requestDigest}
          />
        )}
        {receipt.responseDigest !== undefined && (
          <HexFact
            name={sealed ? t`Response ciphertext, SHA-256` : t`Response body, SHA-256`}
            copies={sealed ? t`Copy response ciphertext, SHA-256` : t`Copy response body, SHA-256`}
            hex={receipt.responseDigest}
          />
        )}
        <Fact name={t`Size`}>
          <Trans>
            {formatBytes(receipt.bytesSent)} sent, {formatBytes(receipt.bytesReceived)} received
          </Trans>
        </Fact>
        {usage && (
          <Fact name={t`Tokens`}>
            <Trans>
              {formatCount(usage.prompt)} in, {formatCount(usage.completion)} out
            </Trans>
          </Fact>
        )}
        <Fact name={t`Estimate`}>
          {estimate
            ? t`${formatExactUsd(estimate.least)} to ${formatExactUsd(estimate.most)}`
            : t`Unavailable`}
        </Fact>
        <Fact name={t`Cost`}>
          {receipt.cost === undefined
            ? receipt.path === CONVERT_PATH && receipt.privacy !== 'refused'
              ? t`Not reported. The service charges a fee for this.`
              : t`Not reported`
            : formatExactUsd(costOf(receipt) ?? receipt.cost)}
          <CostNote receipt={receipt} />
        </Fact>
        {receipt.listedCost !== undefined && (
          <Fact name={t`By the price list`}>
            {formatExactUsd(receipt.listedCost)}
            {costDifference(receipt) !== undefined && (
              <p>
                <Trans>The cost that the service reported differs from its price list.</Trans>
              </p>
            )}
          </Fact>
        )}
        {receipt.paidMsat !== undefined && (
          <Fact name={t`Paid over Lightning, including fee`}>{formatSats(receipt.paidMsat)}</Fact>
        )}
        {receipt.charged !== undefined && receipt.charged !== costOf(receipt) && (
          <Fact name={t`Charged to the key’s budget`}>{formatExactUsd(receipt.charged)}</Fact>
        )}
        {receipt.addedMs !== undefined && (
          <Fact name={t`Added by Sotto`}>{formatAdded(receipt.addedMs)}</Fact>
        )}
        {receipt.durationMs !== undefined && (
          <Fact name={t`Duration`}>
            {receipt.firstByteMs === undefined ? (
              <Trans>{formatLatency(receipt.durationMs)} total</Trans>
            ) : (
              <Trans>
                {formatLatency(receipt.firstByteMs)} to first byte, {formatLatency(receipt.durationMs)} total
              </Trans>
            )}
          </Fact>
        )}
      </Facts>
      {receipt.routing && <ReceiptRouting routing={receipt.routing} />}
      {receipt.tools && <ReceiptTools tools={receipt.tools} />}
      <NotProven receipt={receipt} />
      <DialogActions>
        <CopyButton label={t`Copy receipt as JSON`} word text={() => JSON.stringify(receipt, null, 2)} />
      </DialogActions>
    </>
  )
}

/** Whether the cost is in doubt, or was until the service's history confirmed it. */
function CostNote({ receipt: { cost, costDoubted, confirmed, charged } }: { receipt: Receipt }) {
  if (confirmed) {
    return (
      <p>
        <Trans>Confirmed by the service’s history.</Trans>
        {cost !== undefined && cost !== confirmed.cost && (
          <>
            {' '}
            <Trans>Before that, the cost appeared to be {formatExactUsd(cost)}.</Trans>
          </>
        )}
      </p>
    )
  }
  if (!costDoubted) return null
  return (
    <p>
      <Trans>
        The cost is more than twice the estimate. To compare it with the service’s record, open Activity in
        Wallet.
      </Trans>
      {charged !== undefined && (
        <>
          {' '}
          <Trans>Until then the key’s budget is charged only the estimate.</Trans>
        </>
      )}
    </p>
  )
}

function NotProven({ receipt }: { receipt: Receipt }) {
  const direct = useDirect()
  if (receipt.privacy === 'forwarded') {
    return (
      <p className={styles.limits}>
        <Trans>
          This request wasn’t sealed. The service read it, and the model’s provider could read it too. The
          digests identify the bytes but don’t protect them.
        </Trans>
      </p>
    )
  }
  if (receipt.privacy === 'refused') {
    return (
      <p className={styles.limits}>
        <Trans>
          The request body wasn’t sent. A network observer can still see that Sotto requested the enclave’s
          evidence.
        </Trans>
      </p>
    )
  }
  if (receipt.privacy === 'relayed') {
    return (
      <div className={styles.limits}>
        <h3>
          <Trans>Limits of this proof</Trans>
        </h3>
        <p>
          <Trans>
            The enclave named here decrypted the request and passed it to the model’s provider, who could read
            it. The service couldn’t. It still saw your network address, API key, the model’s name, and when
            and how much was sent. Sotto wrote this receipt on this computer. It’s your own record and isn’t
            signed.
          </Trans>
        </p>
      </div>
    )
  }
  return (
    <div className={styles.limits}>
      <h3>
        <Trans>Limits of this proof</Trans>
      </h3>
      <p>
        {direct ? (
          <Trans>
            The enclave named here decrypted the request. If it’s the router, only the router vouches for the
            server that runs the model. The provider still saw your network address, API key, and when and how
            much was sent. Sotto wrote this receipt on this computer. It’s your own record and isn’t signed.
          </Trans>
        ) : (
          <Trans>
            The enclave named here is the router of the private path. Only the router vouches that the server
            behind it runs the named model. The service still saw your network address, API key, the model’s
            name, and when and how much was sent. Sotto wrote this receipt on this computer. It’s your own
            record and isn’t signed.
          </Trans>
        )}
      </p>
    </div>
  )
}
