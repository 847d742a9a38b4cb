import { PrismaPg } from '@prisma/adapter-pg';
import { defineConfig } from 'prisma/config';

// The schema engine in WebAssembly, which the package prisma brings along.  It asks the catalog,
// and the adapter does not know the types "char", name and name[] of the catalog: text does.
const TEXTS = { 18: 25, 19: 25, 1003: 1009 };

class CatalogPg extends PrismaPg {
  async connect() {
    const adapter = await super.connect();
    const performIO = adapter.performIO.bind(adapter);
    adapter.performIO = async (query) => {
      const result = await performIO(query);
      for (const field of result.fields) {
        field.dataTypeID = TEXTS[field.dataTypeID] ?? field.dataTypeID;
      }
      return result;
    };
    return adapter;
  }
}

export default defineConfig({
  schema: 'schema.prisma',
  experimental: { adapter: true },
  engine: 'js',
  adapter: async () => new CatalogPg({}),       // PGHOST and so on say where
});
