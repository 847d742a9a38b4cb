# Makes SQL of the rows of functions.txt that belong to one type:
# awk -v type=siq -f declare.awk functions.txt

BEGIN {
	FS = " *\\| *"
}

$1 == type && $2 ~ /^CAST/ {
	printf "\nCREATE %s;\n", $2
}

$1 == type && $2 !~ /^CAST/ {
	# COMMENT ON FUNCTION takes the arguments without their defaults
	signature = $2
	gsub(/ DEFAULT [^,)]*/, "", signature)
	symbol = $6 == "" ? "" : ", '" $6 "'"
	printf "\nCREATE FUNCTION %s\n\tRETURNS %s\n", $2, $3
	printf "\tAS 'MODULE_PATHNAME'%s LANGUAGE C %s STRICT PARALLEL SAFE;\n", symbol, $4
	printf "COMMENT ON FUNCTION %s IS\n\t'%s';\n", signature, $5
}
