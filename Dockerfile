# syntax=docker/dockerfile:1
# Builds with the development packages, then keeps only what the server and the command line need at run time.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN npm ci && npm pack --workspace=cli --pack-destination=/tmp \
  && mkdir /app && tar --extract --gzip --file=/tmp/precedent-cli-*.tgz --strip-components=1 --directory=/app

FROM node:24-bookworm-slim AS packages
WORKDIR /src
COPY package.json package-lock.json ./
COPY server/package.json server/
COPY client/package.json client/
COPY bench/package.json bench/
COPY cli/package.json cli/
COPY mcp/package.json mcp/
COPY console/package.json console/
# Without what only debuggers and compilers read.
RUN npm ci --workspace=cli --omit=dev --omit=peer --omit=optional --ignore-scripts \
  && rm -r node_modules/@precedent && find node_modules -name '*.map' -delete

FROM node:24-bookworm-slim
# Whoever starts it gives OPERATOR_TOKEN, or WORKSPACE_CREATE=off.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data WORKSPACE_CREATE=token
WORKDIR /app
COPY --from=packages /src/node_modules node_modules
COPY --from=build /app .
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# The process writes to DATA_DIR only, so the root may be read-only.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/dist/precedent.js"]
CMD ["serve"]
