import * as ldk from 'lightningdevkit'

export interface NodeEvents {
  /** A payment has arrived that this node can claim with the preimage of this hash. */
  claimable(paymentHash: string): void
  claimed(paymentHash: string): void
  sent(paymentHash: string, preimage: string, feeMsat: bigint): void
  failed(paymentHash: string): void
  /** The output that a channel needs. */
  fund(event: ldk.Event_FundingGenerationReady): void
}

/** One Lightning node (LDK) on regtest, without storage and logging. */
export class LdkNode {
  readonly manager: ldk.ChannelManager
  readonly peers: ldk.PeerManager
  readonly id: Uint8Array
  readonly #monitor: ldk.ChainMonitor
  readonly #handler: ldk.EventHandler
  /** References to objects that only the library's own memory refers to, so that they aren't collected. */
  readonly references: readonly unknown[]
  #forwards = false
  #heardSomething = false

  /** @param seed 32 bytes @param now Unix ms */
  constructor(seed: Uint8Array, now: number, network: ldk.Network, events: NodeEvents) {
    const seconds = Math.floor(now / 1000)
    const fees = ldk.FeeEstimator.new_impl({ get_est_sat_per_1000_weight: () => 253 })
    const broadcaster = ldk.BroadcasterInterface.new_impl({ broadcast_transactions: () => undefined })
    const logger = ldk.Logger.new_impl({ log: () => undefined })
    const completed = () => ldk.ChannelMonitorUpdateStatus.LDKChannelMonitorUpdateStatus_Completed
    const persister = ldk.Persist.new_impl({
      persist_new_channel: completed,
      update_persisted_channel: completed,
      archive_persisted_channel: () => undefined,
    })
    this.#monitor = ldk.ChainMonitor.constructor_new(
      ldk.Option_FilterZ.constructor_none(),
      broadcaster,
      logger,
      fees,
      persister,
    )
    const keys = ldk.KeysManager.constructor_new(seed, BigInt(seconds), seed[0] ?? 0)
    const graph = ldk.NetworkGraph.constructor_new(network, logger)
    const scorer = ldk.ProbabilisticScorer.constructor_new(
      ldk.ProbabilisticScoringDecayParameters.constructor_default(),
      graph,
      logger,
    )
    const score = ldk.MultiThreadedLockableScore.constructor_new(scorer.as_Score())
    const router = ldk.DefaultRouter.constructor_new(
      graph,
      logger,
      keys.as_EntropySource(),
      score.as_LockableScore(),
      ldk.ProbabilisticScoringFeeParameters.constructor_default(),
    )
    const messages = ldk.DefaultMessageRouter.constructor_new(graph, keys.as_EntropySource())
    const parameters = ldk.ChainParameters.constructor_new(
      network,
      ldk.BestBlock.constructor_from_network(network),
    )
    this.manager = ldk.ChannelManager.constructor_new(
      fees,
      this.#monitor.as_Watch(),
      broadcaster,
      router.as_Router(),
      messages.as_MessageRouter(),
      logger,
      keys.as_EntropySource(),
      keys.as_NodeSigner(),
      keys.as_SignerProvider(),
      configuration(),
      parameters,
      seconds,
    )
    const ignoring = ldk.IgnoringMessageHandler.constructor_new()
    this.peers = ldk.PeerManager.constructor_new(
      this.manager.as_ChannelMessageHandler(),
      ignoring.as_RoutingMessageHandler(),
      ignoring.as_OnionMessageHandler(),
      ignoring.as_CustomMessageHandler(),
      seconds,
      keys.as_EntropySource().get_secure_random_bytes(),
      logger,
      keys.as_NodeSigner(),
    )
    this.id = this.manager.get_our_node_id()
    this.#handler = ldk.EventHandler.new_impl({
      handle_event: (event) => {
        this.#heard(event, events)
        return ldk.Result_NoneReplayEventZ.constructor_ok()
      },
    })
    this.references = [
      fees,
      broadcaster,
      logger,
      persister,
      keys,
      graph,
      scorer,
      score,
      router,
      messages,
      parameters,
      ignoring,
    ]
  }

  /** @returns whether there is more to do */
  work(): boolean {
    this.peers.process_events()
    this.manager.as_EventsProvider().process_pending_events(this.#handler)
    this.#monitor.as_EventsProvider().process_pending_events(this.#handler)
    if (this.#forwards) this.manager.process_pending_htlc_forwards()
    const more = this.#forwards || this.#heardSomething
    this.#forwards = false
    this.#heardSomething = false
    return more
  }

  /** @param transactions of the block, with their place in it */
  connect(header: Uint8Array, height: number, transactions: readonly Uint8Array[]): void {
    const placed = transactions.map((transaction, at) =>
      ldk.TwoTuple_usizeTransactionZ.constructor_new(at + 1, transaction),
    )
    for (const listener of [this.manager.as_Confirm(), this.#monitor.as_Confirm()]) {
      if (placed.length > 0) listener.transactions_confirmed(header, placed, height)
      listener.best_block_updated(header, height)
    }
  }

  #heard(event: ldk.Event, events: NodeEvents): void {
    this.#heardSomething = true
    if (event instanceof ldk.Event_PendingHTLCsForwardable) this.#forwards = true
    if (event instanceof ldk.Event_FundingGenerationReady) events.fund(event)
    if (event instanceof ldk.Event_PaymentClaimable) events.claimable(hex(event.payment_hash))
    if (event instanceof ldk.Event_PaymentClaimed) events.claimed(hex(event.payment_hash))
    if (event instanceof ldk.Event_PaymentSent)
      events.sent(
        hex(event.payment_hash),
        hex(event.payment_preimage),
        event.fee_paid_msat instanceof ldk.Option_u64Z_Some ? event.fee_paid_msat.some : 0n,
      )
    if (
      event instanceof ldk.Event_PaymentFailed &&
      event.payment_hash instanceof ldk.Option_ThirtyTwoBytesZ_Some
    )
      events.failed(hex(event.payment_hash.some))
  }
}

/** One confirmation is enough, and all of the channel may be on its way at once. */
function configuration(): ldk.UserConfig {
  const config = ldk.UserConfig.constructor_default()
  const handshake = ldk.ChannelHandshakeConfig.constructor_default()
  handshake.set_minimum_depth(1)
  handshake.set_max_inbound_htlc_value_in_flight_percent_of_channel(100)
  config.set_channel_handshake_config(handshake)
  return config
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex')
}
