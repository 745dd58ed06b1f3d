import { Trans } from '@lingui/react/macro'
import { QRCodeSVG } from 'qrcode.react'
import styles from './payment-qr.module.css'

/**
 * A QR code for a wallet's camera: dark on light in both themes, with the quiet zone of four modules that readers need.
 * If `uri` is only an invoice in upper case, the alphanumeric mode needs fewer modules. The code contains `uri`
 * unchanged.
 */
export function PaymentQr({ uri, title, payable }: { uri: string; title: string; payable: boolean }) {
  return (
    <figure className={styles.figure}>
      <div className={styles.frame}>
        <QRCodeSVG
          className={styles.code}
          value={uri}
          title={title}
          role="img"
          level={uri.length > 200 ? 'L' : 'M'}
          marginSize={4}
          size={240}
          bgColor="#ffffff"
          fgColor="#000000"
        />
      </div>
      {!payable && (
        <figcaption className={styles.mark}>
          <Trans>Not payable: demo mode uses simulated money, and real wallets can’t pay this invoice.</Trans>
        </figcaption>
      )}
    </figure>
  )
}
