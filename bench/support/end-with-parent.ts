/**
 * Loaded into every process the benchmark starts (`--import`): it ends when the benchmark does, by whatever death,
 * because the system closes the channel between them. The channel itself keeps nothing running.
 */
process.once('disconnect', () => process.exit(1));
process.channel?.unref();
