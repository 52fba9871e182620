# One image for every entry point. The API is the default; others are started with another command:
#   docker run … node dist/src/worker.js
#   docker run … node dist/src/platform/identity/main.js
#   docker run … node dist/src/platform/gateway/main.js
#   docker run … node dist/src/operator/main.js migrate
# The health check finds out by itself which of them runs and on which port.

FROM node:24.21.0-trixie-slim AS build
WORKDIR /app
# `node` from npm would be a second runtime beside the image's own; its install script is not needed to build.
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json nest-cli.json ormconfig.ts ./
COPY libs libs
COPY src src
RUN node node_modules/@nestjs/cli/bin/nest.js build && rm dist/.tsbuildinfo

FROM node:24.21.0-trixie-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force

FROM node:24.21.0-trixie-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY --from=dependencies /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY package.json .env.example ./
COPY scripts/healthcheck.mjs scripts/healthcheck.mjs
# The image's `node`, by number: Kubernetes cannot know of a name that it is not root (runAsNonRoot).
USER 1000:1000
EXPOSE 3000 9000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s --retries=3 \
  CMD ["node", "scripts/healthcheck.mjs"]
CMD ["node", "dist/src/main.js"]
