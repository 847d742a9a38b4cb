/*
 * FF1 of Bouncy Castle over bits: reads lines of key, tweak and plaintext, each in hexadecimal ("-"
 * for nothing), and the number of bits; prints the ciphertext, and dies if that does not decrypt.
 */
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import org.bouncycastle.crypto.fpe.FPEFF1Engine;
import org.bouncycastle.crypto.params.FPEParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.util.encoders.Hex;

class Peer
{
	static byte[] process(boolean encrypt, byte[] key, byte[] tweak, byte[] bits)
	{
		FPEFF1Engine engine = new FPEFF1Engine();
		byte[] result = new byte[bits.length];

		engine.init(encrypt, new FPEParameters(new KeyParameter(key), 2, tweak));
		engine.processBlock(bits, 0, bits.length, result, 0);
		return result;
	}

	static BigInteger number(byte[] bits)
	{
		BigInteger number = BigInteger.ZERO;

		for (byte bit : bits)
			number = number.shiftLeft(1).or(BigInteger.valueOf(bit));
		return number;
	}

	public static void main(String[] args) throws Exception
	{
		BufferedReader lines = new BufferedReader(new InputStreamReader(System.in));

		for (String line = lines.readLine(); line != null; line = lines.readLine())
		{
			String[] fields = line.split(" ");
			byte[] key = Hex.decode(fields[0]);
			byte[] tweak = fields[1].equals("-") ? new byte[0] : Hex.decode(fields[1]);
			BigInteger plain = new BigInteger(fields[2], 16);
			byte[] bits = new byte[Integer.parseInt(fields[3])];

			for (int i = 0; i < bits.length; i++)
				bits[bits.length - 1 - i] = (byte) (plain.testBit(i) ? 1 : 0);

			byte[] encrypted = process(true, key, tweak, bits);

			if (!number(process(false, key, tweak, encrypted)).equals(plain))
				throw new IllegalStateException(line);
			System.out.println(number(encrypted).toString(16));
		}
	}
}
