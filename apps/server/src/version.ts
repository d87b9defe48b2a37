/** Version of this server, as `server.info` tells it. */
export const VERSION = '0.1.0';
