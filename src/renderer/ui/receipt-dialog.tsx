import { useEffect } from 'react'
import { codedFailure } from './failure.ts'
import { formatSats } from '../../shared/limit-raising.ts'
import type { Receipt } from '../../shared/receipt.ts'
import { CopyButton } from './copy-button.tsx'
import { Dialog, DialogActions } from './dialog.tsx'
import { Fact, Facts, HexFact } from './facts.tsx'
import { exactUsd } from './format/money.ts'
import { formatBytes, formatCount } from './format/number.ts'
import { formatAdded, formatDateTime, formatLatency } from './format/time.ts'
import { privacyMeaning, PrivacyMark } from './privacy-mark.tsx'
import styles from './receipt-dialog.module.css'
import { fetchReceipt, openReceipt, useReceipts } from './receipt-store.ts'

const outcomeWord: Readonly<Record<Receipt['outcome'], string>> = {
  complete: 'Complete',
  interrupted: 'Interrupted: the answer stopped before its end',
  cancelled: 'Stopped by you',
  failed: 'Failed',
  refused: 'Refused: nothing was sent',
}

const callerWord: Readonly<Record<Receipt['caller']['kind'], string>> = { window: 'This window', proxy: 'A program, through the local API', cli: 'The command line' }

/** What is known of one request, to the last digit, without a word of its content. */
export function ReceiptDialog() {
  const id = useReceipts((state) => state.openId)
  const receipt = useReceipts((state) => (id === undefined ? undefined : state.receipts[id]))
  useEffect(() => {
    if (id !== undefined) void fetchReceipt(id)
  }, [id])
  return (
    <Dialog open={id !== undefined} onClose={() => openReceipt(undefined)} wide title="Receipt" says={receipt ? <span className={styles.mark}><PrivacyMark privacy={receipt.privacy} /><span>{privacyMeaning[receipt.privacy]}</span></span> : 'Fetching it…'}>
      {receipt && <ReceiptBody receipt={receipt} />}
    </Dialog>
  )
}

function ReceiptBody({ receipt }: { receipt: Receipt }) {
  const { enclave, usage, estimate } = receipt
  const sealed = receipt.privacy === 'sealed'
  return (
    <>
      <Facts>
        <Fact name="Outcome">
          {outcomeWord[receipt.outcome]}
          {receipt.code !== undefined && <p>{codedFailure(receipt.code).says} <code>{receipt.code}</code>{receipt.step !== undefined && <> at <code>{receipt.step}</code></>}</p>}
        </Fact>
        <Fact name="Model"><code>{receipt.model}</code></Fact>
        <Fact name="Time">{formatDateTime(receipt.at)}</Fact>
        <Fact name="Asked by">{callerWord[receipt.caller.kind]}{receipt.service === 'sandbox' && ', of the sandbox'}</Fact>
        {enclave && (
          <>
            <Fact name="Enclave">{enclave.host}</Fact>
            {enclave.releaseTag !== undefined && <Fact name="Release">{enclave.releaseTag}</Fact>}
            <Fact name="Proven at">{formatDateTime(enclave.verifiedAt)}</Fact>
            <HexFact name="Measurement" hex={enclave.measurement} />
            <HexFact name="Encryption key" hex={enclave.hpkePublicKey} />
            <HexFact name="Evidence, SHA-256" hex={enclave.evidenceDigest} />
          </>
        )}
        {receipt.requestDigest !== undefined && <HexFact name={sealed ? 'Ciphertext sent, SHA-256' : 'Body sent, SHA-256'} hex={receipt.requestDigest} />}
        {receipt.responseDigest !== undefined && <HexFact name={sealed ? 'Ciphertext received, SHA-256' : 'Body received, SHA-256'} hex={receipt.responseDigest} />}
        <Fact name="Size">{formatBytes(receipt.bytesSent)} sent, {formatBytes(receipt.bytesReceived)} received</Fact>
        {usage && <Fact name="Tokens">{formatCount(usage.prompt)} read, {formatCount(usage.completion)} written</Fact>}
        <Fact name="Price before">{estimate ? `$${exactUsd(estimate.least)} to $${exactUsd(estimate.most)}` : 'Not given'}</Fact>
        <Fact name="Cost">{receipt.cost === undefined ? 'Not reported' : `$${exactUsd(receipt.cost)}`}</Fact>
        {receipt.paidMsat !== undefined && <Fact name="Paid over Lightning, with the fee">{formatSats(receipt.paidMsat)}</Fact>}
        {receipt.charged !== undefined && receipt.charged !== receipt.cost && <Fact name="Charged to the key’s budget">${exactUsd(receipt.charged)}</Fact>}
        {receipt.addedMs !== undefined && <Fact name="Added by Sotto">{formatAdded(receipt.addedMs)}</Fact>}
        {receipt.durationMs !== undefined && (
          <Fact name="Time taken">
            {receipt.firstByteMs !== undefined && `${formatLatency(receipt.firstByteMs)} to the first byte, `}{formatLatency(receipt.durationMs)} in all
          </Fact>
        )}
      </Facts>
      <NotProven receipt={receipt} />
      <DialogActions><CopyButton label="Copy the receipt as JSON" word text={() => JSON.stringify(receipt, null, 2)} /></DialogActions>
    </>
  )
}

function NotProven({ receipt }: { receipt: Receipt }) {
  if (receipt.privacy === 'forwarded') {
    return <p className={styles.limits}>This request was not sealed. The service read it, and so could the model’s provider. The digests let you recognise the bytes; they keep nobody out.</p>
  }
  if (receipt.privacy === 'refused') {
    return <p className={styles.limits}>The body of this request was not sent. That Sotto asked the enclave for its proof can be seen from outside.</p>
  }
  return (
    <div className={styles.limits}>
      <h3>What this does not prove</h3>
      <p>
        The enclave named here is the router of the private path. That the machine behind it runs the model it names is that router’s word.
        The service still saw your network address, your API key, the model’s name, and when and how much was sent. This receipt was written by Sotto
        on this machine: it is your own record, signed by nobody.
      </p>
    </div>
  )
}
