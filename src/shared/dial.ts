/** The subset of a WebSocket that the core uses. */
export interface Socket {
  send(text: string): void
  close(): void
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void
  /** Text comes as a string; whatever else comes is no message. */
  addEventListener(type: 'message', listener: (message: { readonly data: unknown }) => void): void
}

/** Opens a WebSocket to a `wss://` address, or `ws://` on loopback. */
export type Dial = (address: string) => Socket
